import { IS_SELF_MADE } from "../../dispatch/storage/dispatch-conditions.js";
import type { Row } from "../../platform/database/columns.js";
import type { Queryable } from "../../platform/database/database.js";
import type { Finding } from "../../platform/database/finding.js";
import { formatTimestamp } from "../../platform/timestamp.js";

type StaleRow = Row<"dispatch_sites", "dispatch_id"> &
  Row<"dispatches", "start_time"> & {
    readonly sites: number;
    readonly stale: number;
    readonly some: readonly string[];
  };

const NAMED = 5;

/** When a meter's newest cell ends, from the last row of its index range. */
export const NEWEST_READING = `
  left join lateral (
    select to_timestamp((hour::bigint * 120 + array_upper(kw, 1)) * 30) as at from telemetry_hours
    where site = sites.key and meter = meters.key order by hour desc limit 1
  ) as newest on true`;

/** Condition on a meter that reported in the last week; $1 is now. */
export const IS_SILENT =
  "newest.at between $1::timestamptz - interval '7 days' and $1::timestamptz - interval '15 minutes'";

/** Condition on all meters of a site together. */
export const IS_OVERDUE = "coalesce(max(newest.at) <= $1::timestamptz - interval '15 minutes', true)";

/**
 * Condition on a site: no meter sent a reading in the last 15 minutes, or one that reported in the last week has fallen
 * silent.
 */
export const CANNOT_BE_MEASURED = `(${IS_OVERDUE} or coalesce(bool_or(${IS_SILENT}), false))`;

/** Dispatches that are running or start within 30 minutes, with sites that cannot be measured. */
export const staleTelemetry = async (db: Queryable, now: Date): Promise<Finding[]> => {
  const { rows } = await db.query<StaleRow>(
    `with called as (
       select dispatches.id as dispatch_id, start_time, called.position, called.name || ' (' || called.site_id || ')' as site,
         ${CANNOT_BE_MEASURED} as is_stale
       from dispatches
       join dispatch_sites as called on called.dispatch_id = dispatches.id
       join sites on sites.id = called.site_id
       left join meters on meters.site_id = called.site_id
       ${NEWEST_READING}
       where not ${IS_SELF_MADE} and authorized and start_time <= $1::timestamptz + interval '30 minutes' and (end_time is null or end_time > $1)
       group by dispatches.id, start_time, called.position, site
     )
     select dispatch_id, start_time, count(*) as sites, count(*) filter (where is_stale) as stale,
       (array_agg(site order by position) filter (where is_stale))[1:${NAMED}] as some
     from called group by dispatch_id, start_time having bool_or(is_stale) order by dispatch_id`,
    [now],
  );
  return rows.map((row) => ({ subject: row.dispatch_id, accountId: null, message: messageOf(row) }));
};

const messageOf = ({ dispatch_id, start_time, sites, stale, some }: StaleRow): string =>
  `${stale} of ${sites} sites of dispatch ${dispatch_id}, which starts at ${formatTimestamp(start_time)}, cannot be measured: ` +
  "no reading for 15 minutes, or one of their meters is silent: " +
  `${some.join(", ")}${stale > some.length ? ` and ${stale - some.length} more` : ""}. ` +
  "See `curtail admin sites telemetry-health SITE-ID`, and phone their accounts.";
