import { type EnergyGrid, type HourRow, hourOf, type MeterKey } from "@curtail/measure";
import { turns } from "../../platform/turns.js";
import type { Hours } from "../domain/hours.js";
import type { TelemetryReader } from "./read-telemetry.js";

export interface HourStretch extends Hours {
  readonly rows: readonly HourRow[];
}

/** Read and processed at once: a few milliseconds of either, so that nobody waits long. */
const ROWS_AT_ONCE = 1000;
const HOURS_PER_DAY = 24;

export const hoursOf = ({ edges }: EnergyGrid): Hours => ({
  from: hourOf((edges[0] ?? 0) + 1),
  to: hourOf(edges.at(-1) ?? 0),
});

/**
 * All rows of the meters in batches. While one is processed, the database reads the next. Whole days are read, because
 * packed ones are unpacked whole.
 */
export async function* hourStretches(
  telemetry: Pick<TelemetryReader, "rows">,
  meters: readonly MeterKey[],
  { from: first, to: last }: Hours,
): AsyncGenerator<HourStretch> {
  if (meters.length === 0) return;
  const days = Math.max(1, Math.floor(ROWS_AT_ONCE / HOURS_PER_DAY / meters.length));
  const read = async (from: number): Promise<HourStretch | null> => {
    const to = Math.min((Math.floor(from / HOURS_PER_DAY) + days) * HOURS_PER_DAY - 1, last);
    return from > last ? null : { from, to, rows: await rowsOf(telemetry, meters, { from, to }) };
  };
  let coming = read(first);
  for (let stretch = await coming; stretch !== null; stretch = await coming) {
    coming = read(stretch.to + 1);
    // The error is thrown when the next batch is awaited; unhandled until then, it would end the process.
    coming.catch(() => {});
    yield* piecesOf(stretch);
  }
}

const METERS_AT_ONCE = Math.floor(ROWS_AT_ONCE / HOURS_PER_DAY);

const rowsOf = async (
  telemetry: Pick<TelemetryReader, "rows">,
  meters: readonly MeterKey[],
  { from, to }: Hours,
): Promise<readonly HourRow[]> => {
  const rows = [];
  for (let at = 0; at < meters.length; at += METERS_AT_ONCE) {
    rows.push(await telemetry.rows(meters.slice(at, at + METERS_AT_ONCE), from, to));
  }
  return rows.flat();
};

/** A day of many meters is processed hour by hour, and others have their turn in between. */
async function* piecesOf(stretch: HourStretch): AsyncGenerator<HourStretch> {
  const { from, to, rows } = stretch;
  if (rows.length <= ROWS_AT_ONCE) return yield stretch;
  const othersTurn = turns();
  const byHour = Array.from({ length: to - from + 1 }, (): HourRow[] => []);
  for (const row of rows) byHour[row.hour - from]?.push(row);
  for (const [nth, ofHour] of byHour.entries()) {
    yield { from: from + nth, to: from + nth, rows: ofHour };
    await othersTurn();
  }
}

/** Meters, and periods that follow each other. */
export interface AskedHours {
  readonly meters: readonly MeterKey[];
  readonly periods: readonly Hours[];
}
