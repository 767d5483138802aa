import type { HourRow, MeterKey } from "@curtail/measure";
import type { Row } from "../../platform/database/columns.js";
import type { Queryable } from "../../platform/database/database.js";
import { readAll, readMap } from "../../platform/database/read.js";
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

/**
 * Hours of meters, in any order; each meter is asked for once. Reads hour rows and packed days in one statement: what is
 * packed meanwhile is seen before or after, never both or neither.
 */
export const storedHours = async (db: Queryable, ...asked: readonly AskedHours[]): Promise<StoredHour[]> => {
  // One index range per meter and period in each table: without `offset 0` the planner may read all hours of a meter.
  // xmin is the transaction that wrote the row. As text, 10,000 numbers would cost 3 ms more.
  const { rows } = await db.query<StoredRecord>({
    name: "stored-hours",
    text: `select site, meter, hour as place, version, content
           from unnest($1::int[], $2::int[], $3::int[], $4::int[]) as asked (site, meter, first, last)
           cross join lateral (
             select hour, xmin::text as version, encode(array_send(kw), 'base64') as content
             from telemetry_hours as stored
             where stored.site = asked.site and stored.meter = asked.meter and hour between asked.first and asked.last
             offset 0
           ) as stored
           union all
           select site, meter, day, null, content
           from unnest($5::int[], $6::int[], $7::int[], $8::int[]) as asked (site, meter, first, last)
           cross join lateral (
             select day, encode(block, 'base64') as content from telemetry_days as packed
             where packed.site = asked.site and packed.meter = asked.meter and day between asked.first and asked.last
             offset 0
           ) as packed`,
    values: [
      ...rangesOf(asked),
      ...rangesOf(asked.map(({ meters, periods }) => ({ meters, periods: daysOf(periods) }))),
    ],
  });
  const periodsOf = new Map(asked.flatMap(({ meters, periods }) => meters.map(({ meter }) => [meter, periods])));
  return merged(rows).filter(({ meter, hour }) => periodsOf.get(meter)?.some((period) => isIn(hour, period)));
};

/** An hour as last read; null: it did not exist. */
interface KnownHour extends MeterKey {
  readonly hour: number;
  readonly rowVersion: string | null;
}

type ChangedRow = Row<"telemetry_hours", "site" | "meter" | "hour"> & {
  readonly rowVersion: string;
  readonly readingSeconds: number | null;
  readonly kw: string;
};

/** Those of the last hours, which are not packed yet, that were written since, with the interval of their meters' newest readings. */
export const changedHours = (db: Queryable, known: readonly KnownHour[]) =>
  readAll(db, changedFrom, {
    name: "changed-hours",
    text: `select stored.site, stored.meter, stored.hour, stored.xmin::text as "rowVersion",
             encode(array_send(stored.kw), 'base64') as kw, interval_seconds as "readingSeconds"
           from unnest($1::int[], $2::int[], $3::int[], $4::text[]) as known (site, meter, hour, version)
           join telemetry_hours as stored using (site, meter, hour) left join meters on meters.key = meter
           where stored.xmin::text is distinct from known.version`,
    values: valuesOf(known, "site", "meter", "hour", "rowVersion"),
  });

// Spreading the rest of each row would take as long as decoding it.
const changedFrom = ({ site, meter, hour, rowVersion, readingSeconds, kw }: ChangedRow) => ({
  site,
  meter,
  hour,
  rowVersion,
  readingSeconds,
  cells: decodeCells(kw),
});

/** The newest hour with a reading among the hours `from` to `to`, by meter; meters without one are absent. */
export const newestHours = async (
  db: Queryable,
  meters: readonly MeterKey[],
  from: number,
  to: number,
): Promise<ReadonlyMap<number, number>> => {
  // Reads the ends of each meter's index ranges.
  return readMap(db, ({ meter, hour }: Row<"telemetry_hours", "meter" | "hour">) => [meter, hour], {
    name: "newest-hours",
    text: `select asked.meter, max(newest.hour) as hour
           from unnest($1::int[], $2::int[]) as asked (site, meter)
           cross join lateral (
             (select hour from telemetry_hours as stored
              where stored.site = asked.site and stored.meter = asked.meter and hour between $3 and $4
              order by hour desc limit 1)
             union all
             (select day * 24 + nth from telemetry_days as packed cross join generate_series(0, 23) as nth
              where packed.site = asked.site and packed.meter = asked.meter and day between $5 and $6
                and hours & (1 << nth) <> 0 and day * 24 + nth between $3 and $4
              order by day desc, nth desc limit 1)
           ) as newest (hour)
           group by asked.meter`,
    values: [...columnsOf(meters), from, to, dayOfHour(from), dayOfHour(to)],
  });
};

/** The first hour with a reading of each of the meters; meters without one are absent. */
export const firstHours = (db: Queryable, meters: readonly MeterKey[]): Promise<ReadonlyMap<number, number>> =>
  readMap(db, ({ meter, hour }: Row<"telemetry_hours", "meter" | "hour">) => [meter, hour], {
    name: "first-hours",
    text: `select asked.meter, min(first.hour) as hour
           from unnest($1::int[], $2::int[]) as asked (site, meter)
           cross join lateral (
             (select hour from telemetry_hours as stored
              where stored.site = asked.site and stored.meter = asked.meter order by hour limit 1)
             union all
             (select day * 24 + nth from telemetry_days as packed cross join generate_series(0, 23) as nth
              where packed.site = asked.site and packed.meter = asked.meter and hours & (1 << nth) <> 0
              order by day, nth limit 1)
           ) as first (hour)
           group by asked.meter`,
    values: columnsOf(meters),
  });

/** A range for each meter and period. */
const rangesOf = (asked: readonly AskedHours[]) => {
  const ranges = asked.flatMap(({ meters, periods }) =>
    meters.flatMap((key) => periods.map((each) => ({ key, each }))),
  );
  return [
    ...columnsOf(ranges.map(({ key }) => key)),
    ranges.map(({ each }) => each.from),
    ranges.map(({ each }) => each.to),
  ];
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

const columnsOf = (meters: readonly MeterKey[]) => [meters.map(({ site }) => site), meters.map(({ meter }) => meter)];

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
