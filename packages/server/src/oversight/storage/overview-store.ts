import { IS_NOT_OVER, IS_SIMULATED, SITE_SUMS } from "../../dispatch/storage/dispatch-conditions.js";
import { SUCCESSES } from "../../notification/storage/owed-store.js";
import { camel, type Snake } from "../../platform/database/camel.js";
import { type RowOf, selection } from "../../platform/database/columns.js";
import type { Queryable } from "../../platform/database/database.js";
import { readAll } from "../../platform/database/read.js";
import { grouped } from "../../platform/grouped.js";
import { IS_MEASURED } from "../../portfolio/storage/meter-conditions.js";
import { newestPowers } from "../../telemetry/storage/newest-cells.js";
import type { ReportingSite } from "../domain/reporting-counts.js";
import type { DispatchSums, OverviewCounts, OverviewReader } from "../operations/operator-overview.js";
import { isShelved } from "./alarm-group-reader.js";

const sumsRow = selection("dispatches", [
  "id",
  "program_id",
  "program_name",
  "program_timezone",
  "test",
  "notification_time",
  "start_time",
  "end_time",
  "status_limits",
]);
type SumsRow = RowOf<typeof sumsRow> & {
  readonly site_count: number;
  readonly commitment_kw: number;
  readonly ramp_up_seconds: number | null;
};

const sumsFrom = (row: SumsRow): DispatchSums => {
  const {
    startTime: start,
    endTime: end,
    programTimezone: timezone,
    notificationTime,
    ...dispatch
  } = sumsRow.camel(row);
  return {
    ...dispatch,
    timezone,
    notifiedAt: notificationTime,
    start,
    end,
    sites: row.site_count,
    commitmentKw: row.commitment_kw,
    rampUpSeconds: row.ramp_up_seconds,
  };
};

/** What is simulated is in no sum. */
const sums = `select dispatches.*, ${SITE_SUMS},
    (select (openadr ->> 'ramp_up_seconds')::int from programs where programs.id = program_id) as ramp_up_seconds
  from (select * from dispatches where not ${IS_SIMULATED}) as dispatches`;

const SITES_AT_ONCE = 1000;

interface SiteRow {
  readonly site: number;
  /** null: the site has no meter. */
  readonly meter: number | null;
  readonly is_load: boolean;
}

/** Whole sites after one, in the order of their numbers. */
const sitesAfter = (db: Queryable, key: number): Promise<readonly SiteRow[]> =>
  readAll(db, (row: SiteRow) => row, {
    name: "overview-sites",
    text: `select sites.key as site, meters.key as meter, ${IS_MEASURED} as is_load
      from (
        select sites.* from sites join accounts on accounts.id = account_id
        where not disabled and not accounts.is_simulated and sites.key > $1 order by sites.key limit $2
      ) as sites left join meters on meters.site_id = sites.id order by sites.key`,
    values: [key, SITES_AT_ONCE],
  });

const reportingSites = async (db: Queryable, rows: readonly SiteRow[]): Promise<readonly ReportingSite[]> => {
  const keys = rows.flatMap(({ site, meter }) => (meter === null ? [] : [{ site, meter }]));
  const newest = new Map(
    (await newestPowers(db, keys)).map((cell) => [cell.meter, { at: cell.at, powerKw: cell.value }]),
  );
  return [...grouped(rows, ({ site }) => site).values()].map((own) => ({
    meters: own.flatMap(({ meter, is_load: isLoad }) =>
      meter === null ? [] : [{ isLoad, newest: newest.get(meter) ?? null }],
    ),
  }));
};

export const overviewReader = (db: Queryable): OverviewReader => ({
  async counts(now) {
    const { rows } = await db.query<Snake<OverviewCounts>>({
      name: "overview-counts",
      text: `select (select count(*) from accounts where not disabled and not is_simulated) as accounts,
        (select count(*) from alarms where cleared_at is null and acknowledged_at is null and not ${isShelved("$1::timestamptz")})
          as alarms_open`,
      values: [now],
    });
    const [row] = rows;
    if (row === undefined) throw new Error("counting answered no row");
    return camel(row);
  },
  async *sites() {
    for (let last = 0; ; ) {
      const rows = await sitesAfter(db, last);
      const end = rows.at(-1)?.site;
      if (end === undefined) return;
      yield await reportingSites(db, rows);
      last = end;
    }
  },
  active: (now) =>
    readAll(db, sumsFrom, `${sums} where authorized and start_time <= $1 and ${IS_NOT_OVER} order by start_time, seq`, [
      now,
    ]),
  between: ({ from, to }, limit) =>
    readAll(db, sumsFrom, {
      text: `${sums} where authorized and start_time <= $2 and (end_time is null or end_time >= $1)
       order by start_time, seq limit $3`,
      values: [from, to, limit],
    }),
  // The end is indexed, and nothing that starts later has ended.
  upcoming: ({ after, by }, limit) =>
    readAll(db, sumsFrom, {
      text: `${sums} where authorized and start_time > $1 and start_time <= $2 and (end_time is null or end_time > $1)
       order by start_time, seq limit $3`,
      values: [after, by, limit],
    }),
  async notified(dispatchIds) {
    if (dispatchIds.length === 0) return new Map();
    const { rows } = await db.query<{ id: string; accounts: number; notified: number | null }>({
      name: "overview-notified",
      text: `with success as materialized (
               select distinct dispatch_id, account_id
               from (${SUCCESSES}) as each join dispatches on dispatches.id = dispatch_id
               where each.modification_number >= dispatches.modification_number
             ), called as materialized (
               select distinct dispatch_id, account_id
               from dispatch_sites join accounts on accounts.id = account_id
               where dispatch_id = any($1) and not disabled
             )
             select dispatches.id, count(*)::int as accounts,
               case when is_record then null else count(success.account_id)::int end as notified
             from called join dispatches on dispatches.id = dispatch_id
             left join success using (dispatch_id, account_id) group by dispatches.id`,
      values: [dispatchIds],
    });
    return new Map(rows.map(({ id, accounts, notified }) => [id, { accounts, accountsNotified: notified }]));
  },
});
