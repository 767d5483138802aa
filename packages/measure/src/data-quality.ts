import type { CellRange, LoadSeries } from "./load-series.js";
import { valueAt } from "./load-series.js";

/**
 * Quality of the load in a cell, compared with earlier results. `gap`: no reading. `corrected`: an earlier result had
 * another value. `late`: an earlier result had none. `measured`: every result has this value.
 */
export type CellQuality = "measured" | "late" | "corrected" | "gap";

/** Quality of an interval of cells. `partial`: only some of them have a reading. */
export type IntervalQuality = CellQuality | "partial";

/** Due cells of an interval by quality. */
export interface QualityCounts {
  readonly missing: number;
  readonly late: number;
  readonly corrected: number;
}

/** Quality of a cell that is due; `earlier` has the loads of earlier results. */
export const cellQuality = (cell: number, load: LoadSeries, earlier: readonly LoadSeries[]): CellQuality => {
  const kw = valueAt(load, cell);
  if (Number.isNaN(kw)) return "gap";
  let isLate = false;
  for (const series of earlier) {
    if (!covers(series, cell)) continue;
    const before = valueAt(series, cell);
    if (Number.isNaN(before)) isLate = true;
    else if (before !== kw) return "corrected";
  }
  return isLate ? "late" : "measured";
};

/** What an earlier result did not extend to says nothing about the reading. */
const covers = ({ firstCell, values }: LoadSeries, cell: number): boolean =>
  cell >= firstCell && cell < firstCell + values.length;

export const countQuality = (
  { first, last }: CellRange,
  load: LoadSeries,
  earlier: readonly LoadSeries[],
): QualityCounts => {
  const counts = { gap: 0, late: 0, corrected: 0, measured: 0 };
  for (let cell = first; cell <= last; cell++) counts[cellQuality(cell, load, earlier)] += 1;
  return { missing: counts.gap, late: counts.late, corrected: counts.corrected };
};

/** The quality of an interval is that of its worst cell; with some cells missing it is `partial`. */
export const intervalQuality = ({ missing, late, corrected }: QualityCounts, due: number): IntervalQuality => {
  if (missing > 0) return missing === due ? "gap" : "partial";
  if (corrected > 0) return "corrected";
  return late > 0 ? "late" : "measured";
};
