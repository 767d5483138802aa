import { cellCountOf, hourOf, lastCellOf, type MeterKey } from "@curtail/measure";
import type { Intervals } from "@curtail/meter-data";
import type { GridReadings } from "./grid-readings.js";

/** The intervals that are stored for a meter, ascending. */
export interface MeterIntervals {
  readonly key: MeterKey;
  readonly intervals: Intervals;
}

/** Puts intervals on the grid, in the order of meters and time. */
export const importedReadings = (all: readonly MeterIntervals[]): GridReadings => {
  const ordered = all.toSorted((a, b) => a.key.meter - b.key.meter);
  const count = ordered.reduce((sum, { intervals }) => sum + intervals.count, 0);
  const readings = {
    count,
    keys: ordered.map(({ key }) => key),
    source: new Int32Array(count),
    lastCell: new Int32Array(count),
    cellCount: new Int32Array(count),
    powerKw: new Float64Array(count),
  };
  let to = 0;
  for (const [source, { intervals }] of ordered.entries()) {
    readings.powerKw.set(intervals.powerKw, to);
    for (let at = 0; at < intervals.count; at++, to++) {
      const seconds = intervals.seconds[at] ?? 0;
      readings.source[to] = source;
      readings.lastCell[to] = lastCellOf((intervals.startMs[at] ?? 0) + seconds * 1000);
      readings.cellCount[to] = cellCountOf(seconds);
    }
  }
  return readings;
};

/** Number of hours of meters that readings are in. */
export const hoursIn = ({ count, source, lastCell, cellCount }: GridReadings): number => {
  let [hours, before, meter] = [0, Number.NEGATIVE_INFINITY, -1];
  for (let at = 0; at < count; at++) {
    const last = lastCell[at] ?? 0;
    const first = hourOf(last - (cellCount[at] ?? 0) + 1);
    const isSame = source[at] === meter;
    hours += hourOf(last) - (isSame ? Math.max(first - 1, before) : first - 1);
    before = hourOf(last);
    meter = source[at] ?? -1;
  }
  return hours;
};

/** Three weeks of a meter: a statement of half a megabyte. */
const PART_CELLS = 60_000;

/** Cuts readings into parts that are written one after the other. */
export function* partsOf(readings: GridReadings): Generator<GridReadings> {
  const { count, cellCount } = readings;
  let [from, cells] = [0, 0];
  for (let at = 0; at < count; at++) {
    cells += cellCount[at] ?? 0;
    if (cells < PART_CELLS && at < count - 1) continue;
    yield partOf(readings, from, at + 1);
    [from, cells] = [at + 1, 0];
  }
}

const partOf = (
  { keys, source, lastCell, cellCount, powerKw }: GridReadings,
  from: number,
  to: number,
): GridReadings => ({
  count: to - from,
  keys,
  source: source.subarray(from, to),
  lastCell: lastCell.subarray(from, to),
  cellCount: cellCount.subarray(from, to),
  powerKw: powerKw.subarray(from, to),
});
