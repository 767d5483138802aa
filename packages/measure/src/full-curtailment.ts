import { type CellRange, type LoadSeries, valueAt } from "./load-series.js";
import { reaches } from "./reduction.js";

/** How long full curtailment must last to count as held: 10 cells of 30 s. */
export const HELD_SECONDS = 300;

export const heldCells = (intervalSeconds: number): number => Math.max(1, Math.ceil(HELD_SECONDS / intervalSeconds));

/**
 * First of `run` consecutive cells whose reduction is at least the target; null if there are none. A gap interrupts the
 * run: what was not measured was not held.
 */
export const firstReaching = (reduction: LoadSeries, range: CellRange, targetKw: number, run = 1): number | null => {
  let row = 0;
  for (let cell = range.first; cell <= range.last; cell++) {
    row = reaches(valueAt(reduction, cell), targetKw) ? row + 1 : 0;
    if (row === run) return cell - run + 1;
  }
  return null;
};

/** Seconds from the start to the end of a cell. */
export const secondsUntilEndOf = (cell: number, startMs: number, intervalSeconds: number): number =>
  cell * intervalSeconds - startMs / 1000;

/** The reductions at both ends of a ramp: in the last cell before the start, and in the first at full curtailment. */
export interface RampEnds {
  readonly beforeKw: number;
  readonly fullKw: number;
  readonly seconds: number;
}

/** kW per minute from the start to full curtailment; null if either end was not measured. */
export const rampOf = ({ beforeKw, fullKw, seconds }: RampEnds): number | null => {
  const rate = (fullKw - beforeKw) / (seconds / 60);
  return Number.isFinite(rate) ? rate : null;
};
