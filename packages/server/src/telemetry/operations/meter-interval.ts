import { CELL_SECONDS, lastCellOf } from "@curtail/measure";
import type { GridReadings } from "./grid-readings.js";

/** Older readings are back-filled, often coarser than what the meter sends now. */
const LIVE_MS = 3_600_000;

/** The interval of each meter's newest reading, in seconds, of those that ended within the hour before now. */
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

/** Most of what is sent in bulk is older: one comparison for each reading. */
const isAnyFrom = ({ count, lastCell }: GridReadings, oldest: number): boolean => {
  for (let index = 0; index < count; index++) if ((lastCell[index] ?? 0) >= oldest) return true;
  return false;
};

/** Index of each source's newest reading that is not older than a cell; a loop over every reading of an upload. */
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
