import { CELL_SECONDS, lastCellOf } from "@curtail/measure";
import type { GridReadings } from "./grid-readings.js";

/** Older readings are back-filled, and often coarser than what the meter sends now. */
const LIVE_MS = 3_600_000;

/** The interval in seconds of each meter's newest reading, among those that ended in the last hour. */
export const newestIntervals = (readings: GridReadings, now: Date): ReadonlyMap<number, number> => {
  const { keys, lastCell, cellCount } = readings;
  const intervals = new Map<number, number>();
  const newestCell = new Map<number, number>();
  const oldest = lastCellOf(now.getTime() - LIVE_MS);
  if (!isAnyFrom(readings, oldest)) return intervals;
  for (const index of newestBySource(readings, oldest)) {
    const cell = lastCell[index] ?? 0;
    const meter = keys[readings.source[index] ?? -1]?.meter;
    if (meter === undefined || cell < (newestCell.get(meter) ?? cell)) continue;
    newestCell.set(meter, cell);
    intervals.set(meter, (cellCount[index] ?? 0) * CELL_SECONDS);
  }
  return intervals;
};

/** Most bulk uploads are older: this is one comparison per reading. */
const isAnyFrom = ({ count, lastCell }: GridReadings, oldest: number): boolean => {
  for (let index = 0; index < count; index++) if ((lastCell[index] ?? 0) >= oldest) return true;
  return false;
};

/** Index of each source's newest reading from the cell `oldest` on, in one loop over the upload. */
const newestBySource = ({ count, keys, source, lastCell }: GridReadings, oldest: number): readonly number[] => {
  const newestCell = new Int32Array(keys.length).fill(oldest);
  const newest = new Int32Array(keys.length).fill(-1);
  for (let index = 0; index < count; index++) {
    const of = source[index] ?? 0;
    const cell = lastCell[index] ?? 0;
    if (cell < (newestCell[of] ?? 0)) continue;
    newestCell[of] = cell;
    newest[of] = index;
  }
  return [...newest].filter((index) => index >= 0);
};
