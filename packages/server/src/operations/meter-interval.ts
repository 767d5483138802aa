import { CELL_SECONDS, lastCellOf } from "@curtail/measure";
import type { GridReadings } from "./grid-readings.js";

/** Older readings are back-filled, often coarser than what the meter sends now. */
const LIVE_MS = 3_600_000;

/** The interval of each meter's newest reading, in seconds, of those that ended within the hour before now. */
export const newestIntervals = (
  { count, keys, source, lastCell, cellCount }: GridReadings,
  now: Date,
): ReadonlyMap<number, number> => {
  const oldest = lastCellOf(now.getTime() - LIVE_MS);
  const newestCell = new Map<number, number>();
  const intervals = new Map<number, number>();
  for (let index = 0; index < count; index++) {
    const cell = lastCell[index] ?? 0;
    const meter = keys[source[index] ?? -1]?.meter;
    if (meter === undefined || cell < (newestCell.get(meter) ?? oldest)) continue;
    newestCell.set(meter, cell);
    intervals.set(meter, (cellCount[index] ?? 0) * CELL_SECONDS);
  }
  return intervals;
};
