import { IS_NOT_OVER, IS_SIMULATED, SITE_SUMS } from "../../dispatch/storage/dispatch-conditions.js";
import { SUCCESSES } from "../../notification/storage/owed-store.js";
import { camel, type Snake } from "../../platform/database/camel.js";
import { type RowOf, selection } from "../../platform/database/columns.js";
import type { Queryable } from "../../platform/database/database.js";
import { readAll } from "../../platform/database/read.js";
import { allShards, textOn } from "../../platform/database/shard-statement.js";
import { IS_MEASURED } from "../../portfolio/storage/meter-conditions.js";
import { newestOfLog } from "../../telemetry/storage/newest-of-log.js";
import { newestReading } from "../../telemetry/storage/stale-telemetry.js";
import { FRESH_MS } from "../domain/overview.js";
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

// Same rule as `siteReadings` in the domain, for all sites at once.
const COUNTS = allShards("overview-counts", (isDistributed) => {
  const { first, join } = newestReading(isDistributed, "select key from sites where not is_simulated", 3);
  return `
    with ${first} newest as (
      select sites.id as site, meters.id as meter, newest.at, newest.kw, ${IS_MEASURED} as is_load
      from sites join accounts on accounts.id = account_id
      left join meters on meters.site_id = sites.id
      ${join}
      where not disabled and not accounts.is_simulated
    ), site as (
      select count(meter) as meters, sum(kw) filter (where at > $1 and is_load) as load_kw,
        count(meter) filter (where is_load) as load_meters,
        count(meter) filter (where at > $1 and is_load) as load_meters_reporting,
        coalesce(bool_or(at > $1), false) as streams,
        coalesce(bool_or(at <= $1 and at > $2), false) as lacks_one
      from newest group by site
    )
    select (select count(*) from accounts where not disabled and not is_simulated) as accounts, count(*) as sites,
      count(*) filter (where streams) as sites_streaming,
      count(*) filter (where lacks_one or not streams) as sites_stale,
      coalesce(sum(meters), 0)::int as meters, sum(load_kw) as load_kw,
      coalesce(sum(load_meters), 0)::int as load_meters,
      coalesce(sum(load_meters_reporting), 0)::int as load_meters_reporting,
      (select count(*) from alarms where cleared_at is null and acknowledged_at is null
        and not ${isShelved(`$1::timestamptz + interval '${FRESH_MS} milliseconds'`)}) as alarms_open
    from site`;
});

export const overviewReader = (db: Queryable): OverviewReader => ({
  async counts({ fresh, expected }) {
    const { rows } = await db.query<Snake<OverviewCounts>>({
      name: "overview-counts",
      text: await textOn(db, COUNTS),
      values: [fresh, expected, ...(await newestOfLog(db))],
    });
    const [row] = rows;
    if (row === undefined) throw new Error("counting answered no row");
    return camel(row);
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
