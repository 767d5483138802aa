import { newestLoggedFrom } from "./newest-of-log.js";

const NEWEST = `select to_timestamp((hour::bigint * 120 + array_upper(kw, 1)) * 30) as at, kw[array_upper(kw, 1)] as kw
  from telemetry_hours as stored`;

/** The newest cell of each meter: when it ends, and its power. */
interface NewestReading {
  /** The first query of a `with`, with its comma. */
  readonly first: string;
  /** A join to rows of `sites` and `meters`, as `newest`; from the last row of the meter's index range. */
  readonly join: string;
}

/**
 * On a distributed database, workers find the readings before they are joined, and there is no log.
 *
 * @param among SQL of the numbers of the sites concerned
 * @param parameter the number of the first parameter of `newestOfLog`
 */
export const newestReading = (isDistributed: boolean, among: string, parameter: number): NewestReading => {
  const logged = newestLoggedFrom(parameter);
  return isDistributed
    ? {
        first: `${logged.first}, newest_reading (of_site, of_meter, at, kw) as materialized (
          select own.site, own.meter, newest.at, newest.kw
          from telemetry_meters as own cross join lateral (
            ${NEWEST} where stored.site = own.site and stored.meter = own.meter order by hour desc limit 1
          ) as newest
          where own.site in (${among})),`,
        join: "left join newest_reading as newest on of_site = sites.key and of_meter = meters.key",
      }
    : {
        first: `${logged.first},`,
        join: `left join lateral (
          select at, kw from (
            (select at, kw, false as is_logged from (
              ${NEWEST} where stored.site = sites.key and stored.meter = meters.key order by hour desc limit 1) as stored)
            union all (${logged.of("meters.key")})
          ) as either order by at desc, is_logged desc limit 1
        ) as newest on true`,
      };
};

/** Condition on a meter that reported in the last week; $1 is now. */
const IS_SILENT = "newest.at between $1::timestamptz - interval '7 days' and $1::timestamptz - interval '15 minutes'";

/** Condition on all meters of a site together. */
const IS_OVERDUE = "coalesce(max(newest.at) <= $1::timestamptz - interval '15 minutes', true)";

/**
 * Condition on a site: no meter sent a reading in the last 15 minutes, or one that reported in the last week has fallen
 * silent.
 */
export const CANNOT_BE_MEASURED = `(${IS_OVERDUE} or coalesce(bool_or(${IS_SILENT}), false))`;
