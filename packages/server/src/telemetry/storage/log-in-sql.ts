/**
 * The first query of a `with`, `logged`: for each meter with readings in the log the newest one, as arrays in the order of the
 * meters' numbers. They are looked up by halving: joined, a planner that knows nothing of them may compare each with each.
 */
export const NEWEST_LOGGED = `logged as materialized (
  select array_agg(meter order by meter) as meters, array_agg(newest[1] order by meter) as cells,
    array_agg(newest[4] order by meter) as kw
  from (
    select meter, max(array[cell, xid::text::float8, seq, reading.kw]) as newest
    from telemetry_log cross join lateral unnest(meters, last_cells, telemetry_log.kw) as reading (meter, cell, kw)
    group by meter
  ) as of_meter)`;

/** The newest reading of the meter in the log, as `at`, `kw` and true. */
export const newestLoggedOf = (meter: string): string => `
  select to_timestamp((select cells from logged)[nth] * 30), (select logged.kw from logged)[nth], true
  from (select width_bucket(${meter}, (select meters from logged)) as nth offset 0) as place
  where (select meters from logged)[nth] = ${meter}`;

/** Condition: the log has a reading of the meter. */
export const isLogged = (meter: string): string =>
  `exists (select 1 from telemetry_log where ${meter} = any(telemetry_log.meters))`;
