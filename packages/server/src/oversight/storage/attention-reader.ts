import type { MeterKey } from "@curtail/measure";
import { SUCCESSES } from "../../notification/storage/owed-store.js";
import type { FirstContact } from "../../platform/alarm-ports.js";
import type { ReachChannel } from "../../platform/channel.js";
import { camel, type Snake } from "../../platform/database/camel.js";
import type { Row } from "../../platform/database/columns.js";
import type { Queryable } from "../../platform/database/database.js";
import { readFirst } from "../../platform/database/read.js";
import { newestPowers } from "../../telemetry/storage/newest-cells.js";
import type { AttentionReader, ReachedAccount } from "../operations/dispatch-attention.js";
import { FIRST_CONTACT } from "./alarm-group-reader.js";

type AccountRow = Snake<Omit<ReachedAccount, "by">> & {
  readonly channels: readonly ReachChannel[] | null;
  readonly times: ReadonlyArray<Date | null> | null;
};

export const attentionReader = (db: Queryable): AttentionReader => ({
  announced: (dispatchId) =>
    readFirst(db, camel<Row<"dispatches", "modification_number" | "is_record">>, {
      text: "select modification_number, is_record from dispatches where id = $1",
      values: [dispatchId],
    }),
  async accounts(dispatchId, modificationNumber) {
    const { rows } = await db.query<AccountRow>({
      name: "attention-accounts",
      text: `with success as materialized (
               select account_id, channel, min(at) as at from (${SUCCESSES}) as each
               where modification_number >= $2 group by account_id, channel
             ), reached as materialized (
               select account_id, array_agg(channel order by at) as channels, array_agg(at order by at) as times
               from success group by account_id
             )
             select accounts.id as account_id, accounts.name as account_name, count(*) as sites,
               coalesce(sum(commitment_kw), 0) as commitment_kw, channels, times
             from dispatch_sites join accounts on accounts.id = dispatch_sites.account_id
             left join reached on reached.account_id = accounts.id
             where dispatch_id = any($1) and not disabled
             group by accounts.id, channels, times order by 4 desc, accounts.name, accounts.id`,
      values: [[dispatchId], modificationNumber],
    });
    return rows.map(({ channels, times, ...row }) => ({
      ...camel(row),
      by: (channels ?? []).map((channel, index) => ({ channel, at: times?.[index] ?? null })),
    }));
  },
  async contacts(accountIds) {
    const { rows } = await db.query<{ id: string; contact: FirstContact | null }>(
      `select id, ${FIRST_CONTACT} as contact from accounts where id = any($1)`,
      [accountIds],
    );
    return new Map(rows.flatMap(({ id, contact }) => (contact === null ? [] : [[id, contact] as const])));
  },
  async lastReadings(siteIds) {
    const { rows } = await db.query<{ id: string } & MeterKey>({
      name: "attention-meters",
      text: `select sites.id, sites.key as site, meters.key as meter from sites join meters on meters.site_id = sites.id
             where sites.id = any($1)`,
      values: [siteIds],
    });
    const ids = new Map(rows.map(({ id, site }) => [site, id]));
    const cells = await newestPowers(db, rows);
    // The newest of a site remains.
    const ordered = cells.toSorted((a, b) => a.at.getTime() - b.at.getTime());
    return new Map(ordered.map(({ site, at }) => [ids.get(site) ?? "", at]));
  },
});
