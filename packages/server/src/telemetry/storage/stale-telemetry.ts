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
