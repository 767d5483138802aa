import { type CellRange, type LoadSeries, valueAt } from "./load-series.js";
import { reaches } from "./reduction.js";

/** For how long full curtailment must last to count as held: 10 cells of 30 s. */
export const HELD_SECONDS = 300;

export const heldCells = (intervalSeconds: number): number => Math.max(1, Math.ceil(HELD_SECONDS / intervalSeconds));

/**
 * First of `run` cells in a row whose reduction is at least the target; null if there are none. A gap ends a row: what
 * nobody measured was not held.
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

/** The reductions between which a ramp runs: in the last cell before the start, and in the first at full. */
export interface RampEnds {
  readonly beforeKw: number;
  readonly fullKw: number;
  readonly seconds: number;
}

/** kW per minute from the start to full curtailment; null where either end was not measured. */
export const rampOf = ({ beforeKw, fullKw, seconds }: RampEnds): number | null => {
  const rate = (fullKw - beforeKw) / (seconds / 60);
  return Number.isFinite(rate) ? rate : null;
};
