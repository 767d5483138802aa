import { rampOf, secondsUntilEndOf } from "./full-curtailment.js";
import { type CellRange, cellsOf, type LoadSeries } from "./load-series.js";
import { type DispatchTimes, measuredEndMs, measuredPeriod } from "./measured-dispatch.js";
import { nullIfNaN, performanceOf } from "./reduction.js";
import { type ToDate, type Totals, toDateOf } from "./totals.js";

/** A site in a dispatch. */
export interface SiteTask {
  readonly dispatch: DispatchTimes;
  /** On any grid that the load's divides; see `baselineOf`. */
  readonly baseline: LoadSeries;
  /** What performance is measured against; null: the site promised nothing. */
  readonly commitmentKw: number | null;
}

/** The newest cell of the dispatch that has load. */
export interface LatestCell {
  readonly endMs: number;
  readonly loadKw: number;
  readonly baselineKw: number | null;
  /** Load at which the commitment is met: baseline − commitment. */
  readonly targetKw: number | null;
  readonly reductionKw: number | null;
  readonly performance: number | null;
}

/** The metrics of a site in a dispatch. Null is undefined or unknown, never zero. */
export interface SitePerformance {
  /** Nothing is to be added but late readings. */
  readonly isFinal: boolean;
  readonly latest: LatestCell | null;
  readonly toDate: ToDate;
  /** From the start to the end of the first cell whose reduction is at least the commitment. */
  readonly secondsToFull: number | null;
  /** The same for the first cell of a row that holds it for `HELD_SECONDS`. */
  readonly secondsToFullHeld: number | null;
  /** From the last cell before the start to the first at full curtailment. */
  readonly rampKwPerMinute: number | null;
}

/**
 * Cells in which a dispatch is measured. An open-ended one is followed as far as its baseline reaches: compute that
 * further and start anew when it nears its end.
 */
export const measuredCells = ({ dispatch, baseline }: SiteTask, intervalSeconds: number): CellRange => {
  const baselineEndMs = (baseline.firstCell + baseline.values.length - 1) * baseline.intervalSeconds * 1000;
  const endMs = measuredEndMs(dispatch) ?? Math.max(dispatch.startMs, baselineEndMs);
  return cellsOf({ startMs: dispatch.startMs, endMs }, intervalSeconds);
};

/** What both ways of measuring, from all cells and cell by cell, find out about the cells. */
export interface Findings {
  readonly totals: Totals;
  readonly range: CellRange;
  readonly newestCell: number | null;
  readonly fullCell: number | null;
  readonly heldCell: number | null;
  readonly loadKwAt: (cell: number) => number;
  readonly baselineKwAt: (cell: number) => number;
}

export const performanceFrom = (
  task: SiteTask,
  found: Findings,
  { nowMs, intervalSeconds }: { readonly nowMs: number; readonly intervalSeconds: number },
): SitePerformance => {
  const { dispatch, commitmentKw } = task;
  const { isFinal, endMs } = measuredPeriod(dispatch, nowMs);
  // A meter's clock may run ahead of ours: a cell that is there is expected, too.
  const byNow = cellsOf({ startMs: dispatch.startMs, endMs }, intervalSeconds).last;
  const last = Math.min(found.range.last, Math.max(byNow, found.newestCell ?? byNow));
  const cellsExpected = Math.max(0, last - found.range.first + 1);
  const secondsTo = (cell: number | null) =>
    cell === null ? null : secondsUntilEndOf(cell, dispatch.startMs, intervalSeconds);
  return {
    isFinal,
    latest: found.newestCell === null ? null : latestCell(found.newestCell, found, { commitmentKw, intervalSeconds }),
    toDate: toDateOf(found.totals, { cellsExpected, commitmentKw, intervalSeconds }),
    secondsToFull: secondsTo(found.fullCell),
    secondsToFullHeld: secondsTo(found.heldCell),
    rampKwPerMinute: rampTo(found, secondsTo(found.fullCell)),
  };
};

type CellTerms = Omit<Parameters<typeof toDateOf>[1], "cellsExpected">;

const latestCell = (cell: number, found: Findings, { commitmentKw, intervalSeconds }: CellTerms): LatestCell => {
  const [loadKw, baselineKw] = [found.loadKwAt(cell), found.baselineKwAt(cell)];
  return {
    endMs: cell * intervalSeconds * 1000,
    loadKw,
    baselineKw: nullIfNaN(baselineKw),
    targetKw: commitmentKw === null ? null : nullIfNaN(baselineKw - commitmentKw),
    reductionKw: nullIfNaN(baselineKw - loadKw),
    performance: performanceOf(baselineKw - loadKw, commitmentKw),
  };
};

const rampTo = ({ range, fullCell, loadKwAt, baselineKwAt }: Findings, seconds: number | null): number | null => {
  if (fullCell === null || seconds === null) return null;
  const reductionKwAt = (cell: number) => baselineKwAt(cell) - loadKwAt(cell);
  return rampOf({ beforeKw: reductionKwAt(range.first - 1), fullKw: reductionKwAt(fullCell), seconds });
};
