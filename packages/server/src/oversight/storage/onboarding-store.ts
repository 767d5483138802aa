import { CELLS_PER_HOUR } from "@curtail/measure";
import { IS_ANNOUNCED } from "../../dispatch/storage/dispatch-conditions.js";
import type { SiteSummary } from "../../performance/operations/site-summary.js";
import { type Row, type RowOf, selection } from "../../platform/database/columns.js";
import type { Queryable } from "../../platform/database/database.js";
import { readAll } from "../../platform/database/read.js";
import { FORMATS } from "../../platform/database/stored-format.js";
import { filledCells } from "../../telemetry/storage/filled-cells.js";
import type { TestResult } from "../domain/onboarding.js";
import type { OnboardingReader, OnboardingSite, TestRecord } from "../operations/onboarding.js";

const siteRow = selection("sites", ["seq", "id", "name", "account_id"]);
type SiteRow = RowOf<typeof siteRow> &
  Row<"sites", "key" | "display_enabled_at"> & {
    readonly account_name: string;
    readonly meters: ReadonlyArray<{ readonly name: string; readonly key: number }> | null;
  };

const dispatchRow = selection("dispatches", [
  "start_time",
  "end_time",
  "notification_time",
  "authorized",
  "changed_at",
]);
type TestRow = RowOf<typeof dispatchRow> &
  Row<"dispatches", "id" | "status_limits"> &
  Row<"dispatch_sites", "site_id" | "commitment_kw"> & {
    readonly learnt: boolean;
    readonly to_date: SiteSummary["performance"]["toDate"] | null;
    readonly status: SiteSummary["status"] | null;
  };

const siteFrom = (row: SiteRow, filled: ReadonlyMap<number, number>): OnboardingSite => ({
  ...siteRow.camel(row),
  accountName: row.account_name,
  displayedSince: row.display_enabled_at,
  meters: (row.meters ?? []).map(({ name, key }) => ({ name, completeness: (filled.get(key) ?? 0) / CELLS_PER_HOUR })),
});

const testFrom = (row: TestRow): TestRecord => {
  const { startTime: start, endTime: end, notificationTime: notification, ...dispatch } = dispatchRow.camel(row);
  return {
    ...dispatch,
    start,
    end,
    notification,
    siteId: row.site_id,
    dispatchId: row.id,
    commitmentKw: row.commitment_kw,
    limits: row.status_limits,
    learnt: row.learnt,
    result: resultFrom(row),
  };
};

const resultFrom = ({ to_date, status }: TestRow): TestResult | null => {
  if (to_date === null || status === null) return null;
  const { meanReductionKw, performance, coverage } = to_date;
  return { meanReductionKw, performance, coverage, status };
};

export const onboardingReader = (db: Queryable): OnboardingReader => ({
  async sites({ siteId, accountId }, { after, limit }, now) {
    const rows = await readAll(db, (row: SiteRow) => row, {
      name: "onboarding-sites",
      text: `with page as materialized (
               select sites.seq, sites.key, sites.id, sites.name, account_id, display_enabled_at from sites
               where ($1::bigint is null or sites.seq > $1) and ($3::text is null or sites.id = $3)
                 and ($4::text is null or account_id = $4)
                 and ($3 is not null or account_id not in (select id from accounts where disabled or is_simulated))
               order by sites.seq limit $2
             )
             select page.seq, page.key, page.id, page.name, account_id, accounts.name as account_name, display_enabled_at, (
               select json_agg(json_build_object('name', meters.name, 'key', meters.key) order by meters.seq)
               from meters where site_id = page.id
             ) as meters
             from page join accounts on accounts.id = account_id order by page.seq`,
      values: [after, limit, siteId, accountId],
    });
    const meters = rows.flatMap(({ key: site, meters: own }) => (own ?? []).map(({ key: meter }) => ({ site, meter })));
    const filled = await filledCells(db, meters, now);
    return rows.map((row) => siteFrom(row, filled));
  },
  tests: (siteIds) =>
    readAll(db, testFrom, {
      name: "onboarding-tests",
      text: `select called.site_id, dispatches.id, start_time, end_time, notification_time, authorized, changed_at,
               called.commitment_kw, status_limits, final.to_date, final.status,
               exists (select from dispatch_reads as read
                       where read.dispatch_id = dispatches.id and read.account_id = called.account_id)
               or exists (select from dispatch_page_reads as read
                          where read.dispatch_id = dispatches.id and read.account_id = called.account_id)
               or exists (select from messages join webhooks on webhooks.id = recipient
                          join message_attempts on message_id = messages.id
                          where messages.subject = dispatches.id and webhooks.account_id = called.account_id
                            and error is null)
               or exists (select from ven_showings join vens on vens.id = ven
                          where dispatch_id = dispatches.id and vens.account_id = called.account_id and how = 'poll')
               or exists (select from ven_acknowledgements join vens on vens.id = ven
                          where dispatch_id = dispatches.id and vens.account_id = called.account_id)
               or exists (select from ven_push_attempts join vens on vens.id = ven
                          where dispatch_id = dispatches.id and vens.account_id = called.account_id and error is null)
               or exists (select from openadr3_notices as notices
                          where notices.dispatch_id = dispatches.id and notices.account_id = called.account_id and (
                            exists (select from openadr3_showings as shown where shown.dispatch_id = dispatches.id
                                    and shown.client_id = notices.client_id)
                            or exists (select from openadr3_answers as answers where answers.dispatch_id = dispatches.id
                                       and answers.client_id = notices.client_id)
                            or exists (select from passing_messages as messages
                                       where messages.change_seq = notices.change_seq
                                         and messages.client_id = notices.client_id and state = 'delivered')))
                 as learnt
             from dispatch_sites as called join dispatches on dispatches.id = called.dispatch_id
             left join lateral (
               select summary #> '{performance,toDate}' as to_date, summary -> 'status' as status,
                 coalesce((summary ->> 'format')::int, 1) as format
               from performance_results as kept
               where kept.dispatch_id = dispatches.id and kept.site_id = called.site_id order by version desc limit 1
             ) as final on format <= ${FORMATS.siteResult}
             where called.site_id = any($1) and test and ${IS_ANNOUNCED} and not exists (
               select from dispatch_sites as other
               where other.dispatch_id = called.dispatch_id and other.site_id <> called.site_id)
             order by start_time desc, seq desc`,
      values: [siteIds],
    }),
});
