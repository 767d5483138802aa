import { hourOf, type MeterKey } from "@curtail/measure";
import type { Queryable } from "../../platform/database/database.js";
import { valuesOf } from "../../platform/database/values-of.js";
import type { LoggedAnswer } from "./log-memory.js";
import type { LogOverlay } from "./log-overlay.js";
import { loggedRead, readLogged } from "./logged-read.js";
import { dayOfHour } from "./packed-day.js";

const keysOf = (meters: readonly MeterKey[]) => valuesOf(meters, "site", "meter");

// Reads the ends of each meter's index ranges.
const NEWEST_HOURS = loggedRead(
  "newest-hours",
  6,
  ({ within }) => `
    select 0 as site, asked.meter, max(newest.hour) as place, null::text as version, null::text as content
    from unnest($1::int[], $2::int[]) as asked (site, meter)
    cross join lateral (
      (select hour from telemetry_hours as stored
       where stored.site = asked.site and stored.meter = asked.meter and hour between $3 and $4${within("stored.site")}
       order by hour desc limit 1)
      union all
      (select day * 24 + nth from telemetry_days as packed cross join generate_series(0, 23) as nth
       where packed.site = asked.site and packed.meter = asked.meter and day between $5 and $6
         and hours & (1 << nth) <> 0 and day * 24 + nth between $3 and $4${within("packed.site")}
       order by day desc, nth desc limit 1)
    ) as newest (hour)
    group by asked.meter`,
);

/** The newest hour with a reading among the hours `from` to `to`, by meter; meters without one are absent. */
export const newestHours = async (
  db: Queryable,
  meters: readonly MeterKey[],
  from: number,
  to: number,
): Promise<ReadonlyMap<number, number>> => {
  const answer = await readLogged(db, NEWEST_HOURS, meters, (keys) => [
    ...keysOf(keys),
    from,
    to,
    dayOfHour(from),
    dayOfHour(to),
  ]);
  return ends(
    answer,
    meters,
    (log, meter) => Math.max(...log.hours(meter, [{ from, to }]).map(({ hour }) => hour)),
    Math.max,
  );
};

const FIRST_HOURS = loggedRead(
  "first-hours",
  2,
  ({ within }) => `
    select 0 as site, asked.meter, min(first.hour) as place, null::text as version, null::text as content
    from unnest($1::int[], $2::int[]) as asked (site, meter)
    cross join lateral (
      (select hour from telemetry_hours as stored
       where stored.site = asked.site and stored.meter = asked.meter${within("stored.site")} order by hour limit 1)
      union all
      (select day * 24 + nth from telemetry_days as packed cross join generate_series(0, 23) as nth
       where packed.site = asked.site and packed.meter = asked.meter and hours & (1 << nth) <> 0${within("packed.site")}
       order by day, nth limit 1)
    ) as first (hour)
    group by asked.meter`,
);

/** The first hour with a reading of each of the meters; meters without one are absent. */
export const firstHours = async (db: Queryable, meters: readonly MeterKey[]): Promise<ReadonlyMap<number, number>> =>
  ends(
    await readLogged(db, FIRST_HOURS, meters, keysOf),
    meters,
    (log, meter) => Math.min(...log.readings(meter).map(({ lastCell, cellCount }) => hourOf(lastCell - cellCount + 1))),
    Math.min,
  );

/** An end by meter, of what is stored and of the log. */
const ends = (
  { records, log }: LoggedAnswer,
  meters: readonly MeterKey[],
  ofLog: (log: LogOverlay, meter: number) => number,
  choose: (a: number, b: number) => number,
): ReadonlyMap<number, number> => {
  const found = new Map(records.map(({ meter, place }) => [meter, place]));
  if (log === null || log.isEmpty) return found;
  for (const { meter } of meters) {
    const hour = ofLog(log, meter);
    if (Number.isFinite(hour)) found.set(meter, choose(hour, found.get(meter) ?? hour));
  }
  return found;
};
