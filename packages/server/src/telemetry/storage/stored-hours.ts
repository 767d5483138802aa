import type { HourRow, MeterKey } from "@curtail/measure";
import type { Row } from "../../platform/database/columns.js";
import type { Queryable } from "../../platform/database/database.js";
import { oneShard, rowsOfShards } from "../../platform/database/shard-statement.js";
import { valuesOf } from "../../platform/database/values-of.js";
import { type Hours, isIn } from "../domain/hours.js";
import type { AskedHours } from "../operations/hour-stretches.js";
import { dayOfHour, hoursOfDay, layHour, type MeterDayCells, unpackedDay } from "./packed-day.js";
import { decodeCells, hoursOfCells } from "./telemetry-encoding.js";

/** An hour of a meter, whichever way it is stored. */
export interface StoredHour extends HourRow {
  /** Differs after every write of the hour; null if it is packed. */
  readonly version: string | null;
}

/** An hour row with its version, or a packed day without one; `content` is in base64. */
type StoredRecord = Row<"telemetry_hours", "site" | "meter"> & {
  readonly place: number;
  readonly version: string | null;
  readonly content: string;
};

// One index range per meter and period in each table: without `offset 0` the planner may read all hours of a meter.
// xmin is the transaction that wrote the row. As text, 10,000 numbers would cost 3 ms more.
const STORED_HOURS = oneShard(
  "stored-hours",
  ({ within }) => `
    select site, meter, hour as place, version, content
    from unnest($1::int[], $2::int[], $3::int[], $4::int[]) as asked (site, meter, first, last)
    cross join lateral (
      select hour, xmin::text as version, encode(array_send(kw), 'base64') as content
      from telemetry_hours as stored
      where stored.site = asked.site and stored.meter = asked.meter
        and hour between asked.first and asked.last${within("stored.site")}
      offset 0
    ) as stored
    union all
    select site, meter, day, null, content
    from unnest($5::int[], $6::int[], $7::int[], $8::int[]) as asked (site, meter, first, last)
    cross join lateral (
      select day, encode(block, 'base64') as content from telemetry_days as packed
      where packed.site = asked.site and packed.meter = asked.meter
        and day between asked.first and asked.last${within("packed.site")}
      offset 0
    ) as packed`,
);

/**
 * Hours of meters, in any order; each meter is asked for once. Reads hour rows and packed days in one statement: what is
 * packed meanwhile is seen before or after, never both or neither.
 */
export const storedHours = async (db: Queryable, ...asked: readonly AskedHours[]): Promise<StoredHour[]> => {
  const periodsOf = new Map(asked.flatMap(({ meters, periods }) => meters.map(({ meter }) => [meter, periods])));
  const ofMeters = asked.flatMap(({ meters, periods }) => {
    const days = daysOf(periods);
    return meters.map(({ site, meter }) => ({ site, meter, periods, days }));
  });
  const rows = await rowsOfShards<StoredRecord, MeterPeriods>(db, STORED_HOURS, ofMeters, (meters) => [
    ...rangesOf(meters, ({ periods }) => periods),
    ...rangesOf(meters, ({ days }) => days),
  ]);
  return merged(rows).filter(({ meter, hour }) => periodsOf.get(meter)?.some((period) => isIn(hour, period)));
};

/** Of one meter; `days` has the days that are in the periods. */
interface MeterPeriods extends MeterKey {
  readonly periods: readonly Hours[];
  readonly days: readonly Hours[];
}

/** An hour as last read; null: it did not exist. */
interface KnownHour extends MeterKey {
  readonly hour: number;
  readonly rowVersion: string | null;
}

type ChangedRow = Row<"telemetry_hours", "site" | "meter" | "hour"> & {
  readonly rowVersion: string;
  readonly kw: string;
};

const CHANGED_HOURS = oneShard(
  "changed-hours",
  ({ within }) => `
    select stored.site, stored.meter, stored.hour, stored.xmin::text as "rowVersion",
      encode(array_send(stored.kw), 'base64') as kw
    from unnest($1::int[], $2::int[], $3::int[], $4::text[]) as known (site, meter, hour, version)
    join telemetry_hours as stored using (site, meter, hour)
    where stored.xmin::text is distinct from known.version${within("stored.site")}`,
);

/** Those of the last hours, which are not packed yet, that were written since. */
export const changedHours = async (db: Queryable, known: readonly KnownHour[]) => {
  const rows = await rowsOfShards<ChangedRow, KnownHour>(db, CHANGED_HOURS, known, (hours) =>
    valuesOf(hours, "site", "meter", "hour", "rowVersion"),
  );
  // Spreading the rest of each row would take as long as decoding it.
  return rows.map(({ site, meter, hour, rowVersion, kw }) => ({
    site,
    meter,
    hour,
    rowVersion,
    cells: decodeCells(kw),
  }));
};

type HourOfMeter = Row<"telemetry_hours", "meter" | "hour">;

const keysOf = (meters: readonly MeterKey[]) => valuesOf(meters, "site", "meter");

const byMeter = (rows: readonly HourOfMeter[]): ReadonlyMap<number, number> =>
  new Map(rows.map(({ meter, hour }) => [meter, hour]));

// Reads the ends of each meter's index ranges.
const NEWEST_HOURS = oneShard(
  "newest-hours",
  ({ within }) => `
    select asked.meter, max(newest.hour) as hour
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
): Promise<ReadonlyMap<number, number>> =>
  byMeter(
    await rowsOfShards<HourOfMeter, MeterKey>(db, NEWEST_HOURS, meters, (keys) => [
      ...keysOf(keys),
      from,
      to,
      dayOfHour(from),
      dayOfHour(to),
    ]),
  );

const FIRST_HOURS = oneShard(
  "first-hours",
  ({ within }) => `
    select asked.meter, min(first.hour) as hour
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
  byMeter(await rowsOfShards<HourOfMeter, MeterKey>(db, FIRST_HOURS, meters, keysOf));

/** A range for each meter and period. */
const rangesOf = (meters: readonly MeterPeriods[], pick: (meter: MeterPeriods) => readonly Hours[]): number[][] => {
  const columns: [number[], number[], number[], number[]] = [[], [], [], []];
  for (const each of meters)
    for (const { from, to } of pick(each)) {
      columns[0].push(each.site);
      columns[1].push(each.meter);
      columns[2].push(from);
      columns[3].push(to);
    }
  return columns;
};

/** Each day once, although an hour of it may end one period and another begin the next. */
const daysOf = (periods: readonly Hours[]): Hours[] => {
  const days: Hours[] = [];
  for (const { from, to } of periods) {
    const first = Math.max(dayOfHour(from), (days.at(-1)?.to ?? Number.NEGATIVE_INFINITY) + 1);
    if (first <= dayOfHour(to)) days.push({ from: first, to: dayOfHour(to) });
  }
  return days;
};

/** An hour row in addition to its packed day was uploaded later: its readings count. */
const merged = (records: readonly StoredRecord[]): StoredHour[] => {
  const days = new Map<string, MeterDayCells>();
  for (const { site, meter, place: day, version, content } of records) {
    if (version === null) days.set(`${meter} ${day}`, unpackedDay({ site, meter }, day, content));
  }
  const hours: StoredHour[] = [];
  const rows = records.filter(({ version }) => version !== null);
  const cellsAt = hoursOfCells(rows.length);
  for (const [nth, { site, meter, place: hour, version, content }] of rows.entries()) {
    const row = { site, meter, hour, version, cells: decodeCells(content, cellsAt(nth)) };
    const day = days.size === 0 ? undefined : days.get(`${meter} ${dayOfHour(hour)}`);
    if (day === undefined) hours.push(row);
    else layHour(day, row);
  }
  for (const day of days.values()) for (const row of hoursOfDay(day)) hours.push({ ...row, version: null });
  return hours;
};
