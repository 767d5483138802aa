import type { Row } from "../../platform/database/columns.js";
import type { Queryable } from "../../platform/database/database.js";
import { valuesOf } from "../../platform/database/values-of.js";
import type { Point } from "../domain/report.js";
import type { SandboxReadings } from "../operations/scenario-service.js";

/** A reading a minute for thirty sites over a day; what an account sends beyond is ignored. */
const MOST_HELD = 50_000;

/** Readings of rehearsals: only for their reports (G44). */
export const sandboxReadingStore = (db: Queryable): SandboxReadings => ({
  async hold(accountId, points, sentAt) {
    await db.query({
      name: "hold-sandbox-readings",
      text: `insert into readings as held (account_id, site_id, at, kw, sent_at)
             select $1, site_id, to_timestamp(at_ms / 1000), kw, $2
             from unnest($3::text[], $4::float8[], $5::float8[]) as sent (site_id, at_ms, kw)
             limit greatest(0, $6 - (
               select count(*) from (select from readings where account_id = $1 limit $6) as counted
             ))
             on conflict (account_id, site_id, at) do update set kw = excluded.kw, sent_at = excluded.sent_at`,
      values: [accountId, sentAt, ...valuesOf(points, "siteId", "atMs", "powerKw"), MOST_HELD],
    });
  },
  async of(accountId, { from, until, sentBy }) {
    const { rows } = await db.query<Row<"readings", "site_id" | "at" | "kw">>(
      `select site_id, at, kw from readings
       where account_id = $1 and at > $2 and at <= $3 and sent_at <= $4 order by site_id, at`,
      [accountId, from, until, sentBy],
    );
    const points = new Map<string, Point[]>();
    for (const { site_id: siteId, at, kw } of rows) {
      const site = points.get(siteId) ?? [];
      points.set(siteId, site);
      site.push({ atMs: at.getTime(), powerKw: kw });
    }
    return points;
  },
  async accounts() {
    const { rows } = await db.query<Row<"readings", "account_id">>("select distinct account_id from readings");
    return rows.map(({ account_id }) => account_id);
  },
  async forget(accountId, until) {
    const { rows } = await db.query<{ remain: boolean }>(
      `with gone as (delete from readings where account_id = $1 and at <= $2)
       select exists (select from readings where account_id = $1 and at > $2) as remain`,
      [accountId, until],
    );
    return rows[0]?.remain === true;
  },
});
