import { CELLS_PER_HOUR, type HourRow, type MeterKey } from "@curtail/measure";
import type { Queryable } from "../../platform/database/database.js";
import { type Hours, isIn } from "../domain/hours.js";
import type { AskedHours } from "../operations/hour-stretches.js";
import type { LoggedKind } from "./log-batch.js";
import { type LogOverlay, layOver, markedVersion, markOf } from "./log-overlay.js";
import type { StoredRecord } from "./log-rows.js";
import { loggedRead, readLogged } from "./logged-read.js";
import { dayOfHour, hoursOfDay, layHour, type MeterDayCells, unpackedDay } from "./packed-day.js";
import { decodeCells, hoursOfCells } from "./telemetry-encoding.js";

/** An hour of a meter, whichever way it is stored. */
export interface StoredHour extends HourRow {
  /** Differs after every write of the hour; null if it is packed. */
  readonly version: string | null;
}

// One index range per meter and period in each table: without `offset 0` the planner may read all hours of a meter.
// xmin is the transaction that wrote the row. As text, 10,000 numbers would cost 3 ms more.
const STORED_HOURS = loggedRead(
  "stored-hours",
  8,
  // An hour row with its version, or a packed day without one; `content` is in base64.
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
  const { records, log } = await readLogged<MeterDays>(db, STORED_HOURS, ofMeters, (meters) => [
    ...rangesOf(meters, ({ periods }) => periods),
    ...rangesOf(meters, ({ days }) => days),
  ]);
  const stored = merged(records).filter(({ meter, hour }) =>
    periodsOf.get(meter)?.some((period) => isIn(hour, period)),
  );
  return overlaid(stored, log, ofMeters, "power");
};

interface MeterPeriods extends MeterKey {
  readonly periods: readonly Hours[];
}

/** `days` has the days that are in the periods. */
interface MeterDays extends MeterPeriods {
  readonly days: readonly Hours[];
}

/** A range for each meter and period. */
const rangesOf = (meters: readonly MeterDays[], pick: (meter: MeterDays) => readonly Hours[]): number[][] => {
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
    if (version === null) days.set(`${meter} ${day}`, unpackedDay({ site, meter }, day, content ?? ""));
  }
  const hours: StoredHour[] = [];
  const rows = records.filter(({ version }) => version !== null);
  const cellsAt = hoursOfCells(rows.length);
  for (const [nth, { site, meter, place: hour, version, content }] of rows.entries()) {
    const row = { site, meter, hour, version, cells: decodeCells(content ?? "", cellsAt(nth)) };
    const day = days.size === 0 ? undefined : days.get(`${meter} ${dayOfHour(hour)}`);
    if (day === undefined) hours.push(row);
    else layHour(day, row);
  }
  for (const day of days.values()) for (const row of hoursOfDay(day)) hours.push({ ...row, version: null });
  return hours;
};

/** Hours of a kind with what the log has in addition, which replaces what is stored. */
export const overlaid = (
  stored: StoredHour[],
  log: LogOverlay | null,
  asked: readonly MeterPeriods[],
  kind: LoggedKind,
): StoredHour[] => {
  if (log === null || log.isEmpty) return stored;
  const known = new Map(stored.map((row, place) => [`${row.meter} ${row.hour}`, place]));
  for (const { site, meter, periods } of asked)
    for (const logged of log.hours(meter, periods, kind)) {
      const { hour } = logged;
      const place = known.get(`${meter} ${hour}`);
      const row = place === undefined ? undefined : stored[place];
      const cells = row?.cells ?? new Float64Array(CELLS_PER_HOUR).fill(Number.NaN);
      layOver(cells, logged);
      const laid = { site, meter, hour, cells, version: markedVersion(row?.version ?? null, markOf(logged)) };
      if (place === undefined) stored.push(laid);
      else stored[place] = laid;
    }
  return stored;
};
