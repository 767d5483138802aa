import { firstReaching, heldCells } from "./full-curtailment.js";
import { type LoadSeries, onGrid, valueAt } from "./load-series.js";
import { reductionOf } from "./reduction.js";
import { measuredCells, performanceFrom, type SitePerformance, type SiteTask } from "./site-performance.js";
import { NO_TOTALS, withCell } from "./totals.js";

/**
 * The metrics of a site in a dispatch, from all its cells. `load` has the dispatch and the cell before its start;
 * `nowMs` is Unix milliseconds.
 */
export const measureSite = (task: SiteTask, load: LoadSeries, nowMs: number): SitePerformance => {
  const { intervalSeconds } = load;
  const range = measuredCells(task, intervalSeconds);
  const reduction = reductionOf(load, task.baseline);
  const baseline = onGrid(task.baseline, intervalSeconds);
  let totals = NO_TOTALS;
  let newestCell: number | null = null;
  for (let cell = range.first; cell <= range.last; cell++) {
    const loadKw = valueAt(load, cell);
    totals = withCell(totals, { loadKw, baselineKw: valueAt(baseline, cell) }, task);
    if (!Number.isNaN(loadKw)) newestCell = cell;
  }
  const firstOf = (run: number) =>
    task.commitmentKw === null || task.commitmentKw === 0
      ? null
      : firstReaching(reduction, range, task.commitmentKw, run);
  const found = {
    totals,
    range,
    newestCell,
    fullCell: firstOf(1),
    heldCell: firstOf(heldCells(intervalSeconds)),
    loadKwAt: (cell: number) => valueAt(load, cell),
    baselineKwAt: (cell: number) => valueAt(baseline, cell),
  };
  return performanceFrom(task, found, { nowMs, intervalSeconds });
};
