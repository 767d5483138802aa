import { firstReaching, heldCells } from "./full-curtailment.js";
import { CELL_SECONDS } from "./grid.js";
import { type CellRange, flatSeries, type LoadSeries, onGrid, valueAt } from "./load-series.js";
import { reaches } from "./reduction.js";
import { measuredCells, performanceFrom, type SitePerformance, type SiteTask } from "./site-performance.js";
import { NO_TOTALS, withCell, withoutCell } from "./totals.js";

/** Follows a site through a dispatch on 30 s cells. */
export interface SiteTracker {
  /**
   * Takes the site's load in a cell, new or corrected, in any order; NaN makes it a gap. Cells outside the dispatch
   * are ignored, save the one before its start. Costs the same however long the dispatch is, unless a correction takes
   * back the time of full curtailment or the newest cell: then the cells are looked through again.
   */
  set(cell: number, loadKw: number): void;
  /** The metrics by now, in Unix milliseconds; the same as `measureSite` gives from all cells. */
  performance(nowMs: number): SitePerformance;
}

/**
 * Starts to follow a site. When its baseline or commitment or the dispatch's times change, start again and set the
 * cells again.
 */
export const trackSite = (task: SiteTask): SiteTracker => {
  const range = measuredCells(task, CELL_SECONDS);
  // The cell before the start is where the ramp begins.
  const kept = { first: range.first - 1, last: range.last };
  const load = flatSeries(Number.NaN, kept, CELL_SECONDS);
  const reduction = flatSeries(Number.NaN, kept, CELL_SECONDS);
  const baseline = onGrid(task.baseline, CELL_SECONDS);
  const milestones = trackMilestones(reduction, range, task.commitmentKw);
  let totals = NO_TOTALS;
  let newestCell: number | null = null;

  return {
    set(cell, loadKw) {
      if (cell < kept.first || cell > kept.last) return;
      const [before, after] = [valueAt(reduction, cell), valueAt(baseline, cell) - loadKw];
      load.values[cell - kept.first] = loadKw;
      reduction.values[cell - kept.first] = after;
      if (cell === kept.first) return;
      totals = withCell(withoutCell(totals, before, task.commitmentKw), after, task.commitmentKw);
      newestCell = newestAfter(cell, newestCell, load, range);
      milestones.changed(cell);
    },
    performance(nowMs) {
      const found = {
        totals,
        range,
        newestCell,
        fullCell: milestones.fullCell(),
        heldCell: milestones.heldCell(),
        loadKwAt: (cell: number) => valueAt(load, cell),
        baselineKwAt: (cell: number) => valueAt(baseline, cell),
      };
      return performanceFrom(task, found, { nowMs, intervalSeconds: CELL_SECONDS });
    },
  };
};

const newestAfter = (cell: number, newest: number | null, load: LoadSeries, range: CellRange): number | null => {
  if (!Number.isNaN(valueAt(load, cell))) return Math.max(cell, newest ?? cell);
  if (cell !== newest) return newest;
  let earlier = cell - 1;
  while (earlier >= range.first && Number.isNaN(valueAt(load, earlier))) earlier -= 1;
  return earlier < range.first ? null : earlier;
};

const trackMilestones = (reduction: LoadSeries, range: CellRange, commitmentKw: number | null) => {
  const targetKw = commitmentKw === null || commitmentKw === 0 ? Number.NaN : commitmentKw;
  const [full, held] = [
    trackFirst(reduction, range, { targetKw, run: 1 }),
    trackFirst(reduction, range, { targetKw, run: heldCells(CELL_SECONDS) }),
  ];
  return {
    changed(cell: number) {
      full.changed(cell);
      held.changed(cell);
    },
    fullCell: full.cell,
    heldCell: held.cell,
  };
};

/** Keeps the first cell of the first row of `run` cells that reach the target. */
const trackFirst = (
  reduction: LoadSeries,
  range: CellRange,
  { targetKw, run }: { readonly targetKw: number; readonly run: number },
) => {
  let first: number | null = null;
  const isReached = (cell: number) =>
    cell >= range.first && cell <= range.last && reaches(valueAt(reduction, cell), targetKw);
  return {
    cell: () => first,
    changed(cell: number) {
      if (isReached(cell)) {
        // Only rows through this cell are new; the first of them begins at most run − 1 cells earlier.
        const around = { first: Math.max(range.first, cell - run + 1), last: Math.min(range.last, cell + run - 1) };
        const found = firstReaching(reduction, around, targetKw, run);
        if (found !== null && (first === null || found < first)) first = found;
      } else if (first !== null && cell >= first && cell < first + run) {
        // Rows before this one were none, so the search may begin here.
        first = firstReaching(reduction, { first, last: range.last }, targetKw, run);
      }
    },
  };
};
