import { type EnergyGrid, type HourRow, hourOf, type MeterKey } from "@curtail/measure";
import type { TelemetryReader } from "./read-telemetry.js";

/** Hours `from` to `to`, inclusive. */
export interface Hours {
  readonly from: number;
  readonly to: number;
}

export interface HourStretch extends Hours {
  readonly rows: readonly HourRow[];
}

/** Read and processed at once: a few milliseconds of either, so that nobody waits long. */
const ROWS_AT_ONCE = 1000;

export const hoursOf = ({ edges }: EnergyGrid): Hours => ({
  from: hourOf((edges[0] ?? 0) + 1),
  to: hourOf(edges.at(-1) ?? 0),
});

/** All rows of the meters in batches. While one is processed, the database reads the next. */
export async function* hourStretches(
  telemetry: Pick<TelemetryReader, "rows">,
  meters: readonly MeterKey[],
  { from: first, to: last }: Hours,
): AsyncGenerator<HourStretch> {
  if (meters.length === 0) return;
  const length = Math.max(1, Math.floor(ROWS_AT_ONCE / meters.length));
  const read = async (from: number): Promise<HourStretch | null> => {
    const to = Math.min(from + length - 1, last);
    return from > last ? null : { from, to, rows: await telemetry.rows(meters, from, to) };
  };
  let coming = read(first);
  for (let stretch = await coming; stretch !== null; stretch = await coming) {
    coming = read(stretch.to + 1);
    // The error is thrown when the next batch is awaited; unhandled until then, it would end the process.
    coming.catch(() => {});
    yield stretch;
  }
}
