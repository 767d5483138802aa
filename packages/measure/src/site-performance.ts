import { rampOf, secondsUntilEndOf } from "./full-curtailment.js";
import { CELL_SECONDS } from "./grid.js";
import { type CellRange, cellsOf, countOf, type LoadSeries } from "./load-series.js";
import { type DispatchTimes, measuredEndMs, measuredPeriod } from "./measured-dispatch.js";
import { nullIfNaN, performanceOf } from "./reduction.js";
import { NO_TOTALS, type Targets, type ToDate, type Totals, toDateOf, withCell } from "./totals.js";

/** A site in a dispatch. */
export interface SiteTask {
  readonly dispatch: DispatchTimes;
  /** On any grid that the load's grid divides; see `baselineOf`. */
  readonly baseline: LoadSeries;
  /** What performance is measured against; null: no commitment. */
  readonly commitmentKw: number | null;
  /** The firm service level, which the site is judged by instead; null: none (M12). */
  readonly levelKw?: number | null;
  /** Interval of the meters' readings, after which cells are due; default: a cell is due when it ends. */
  readonly readingSeconds?: number;
}

/** The five minutes up to the newest reading. */
export type Recent = Pick<
  ToDate,
  "cellsExpected" | "cellsPresent" | "coverage" | "meanReductionKw" | "performance" | "shareComplying"
>;

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

/** The metrics of a site in a dispatch. null means undefined or unknown, never zero. */
export interface SitePerformance {
  /** Only late readings can change it. */
  readonly isFinal: boolean;
  readonly latest: LatestCell | null;
  readonly toDate: ToDate;
  /** Absent once the dispatch is over. */
  readonly recent?: Recent;
  /** From the start to the end of the first cell whose reduction is at least the commitment. */
  readonly secondsToFull: number | null;
  /** The same for the first of the cells that hold it for `HELD_SECONDS`. */
  readonly secondsToFullHeld: number | null;
  /** From the last cell before the start to the first at full curtailment. */
  readonly rampKwPerMinute: number | null;
}

/**
 * Cells in which a dispatch is measured. With an open end, as far as its baseline extends: extend the baseline and
 * start again before its end.
 */
export const measuredCells = ({ dispatch, baseline }: SiteTask, intervalSeconds: number): CellRange => {
  const baselineEndMs = (baseline.firstCell + baseline.values.length - 1) * baseline.intervalSeconds * 1000;
  const endMs = measuredEndMs(dispatch) ?? Math.max(dispatch.startMs, baselineEndMs);
  return cellsOf({ startMs: dispatch.startMs, endMs }, intervalSeconds);
};

/** Results of both ways of measuring: from all cells, and cell by cell. */
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
  const { dispatch } = task;
  const { isFinal } = measuredPeriod(dispatch, nowMs);
  const terms = { dispatch, targets: task, intervalSeconds };
  const expected = { first: found.range.first, last: lastExpected(task, found, { nowMs, intervalSeconds }) };
  const secondsTo = (cell: number | null) =>
    cell === null ? null : secondsUntilEndOf(cell, dispatch.startMs, intervalSeconds);
  return {
    isFinal,
    latest: found.newestCell === null ? null : latestCell(found.newestCell, found, terms),
    toDate: toDateOf(found.totals, expectedOf(expected, terms)),
    ...(isFinal ? {} : { recent: recentOf(found, expected, terms) }),
    secondsToFull: secondsTo(found.fullCell),
    secondsToFullHeld: secondsTo(found.heldCell),
    rampKwPerMinute: rampTo(found, secondsTo(found.fullCell)),
  };
};

/** The last cell that is due at `nowMs` from meters with readings of that interval. */
export const dueCell = (nowMs: number, readingSeconds = 0, intervalSeconds = CELL_SECONDS): number => {
  // A reading is sent when its interval is over, which may be this long after the end of its first cell.
  const awaitedSeconds = Math.max(0, readingSeconds - intervalSeconds);
  return Math.floor((nowMs / 1000 - awaitedSeconds) / intervalSeconds);
};

/** The last cell that is due, or a later one that was received: a meter's clock may be ahead of ours. */
const lastExpected = (
  { readingSeconds = 0 }: SiteTask,
  { range, newestCell }: Findings,
  { nowMs, intervalSeconds }: { readonly nowMs: number; readonly intervalSeconds: number },
): number => {
  const due = dueCell(nowMs, readingSeconds, intervalSeconds);
  return Math.min(range.last, Math.max(due, newestCell ?? due));
};

const RECENT_SECONDS = 300;

const recentOf = (found: Findings, expected: CellRange, terms: CellTerms): Recent => {
  const { loadKwAt, baselineKwAt, newestCell } = found;
  // Time after the newest reading is not missing until that reading is late, and then the status is unknown anyway (M11).
  const last = Math.min(expected.last, newestCell ?? expected.last);
  const recentCells = Math.ceil(RECENT_SECONDS / terms.intervalSeconds);
  const range = { first: Math.max(expected.first, last - recentCells + 1), last };
  let totals = NO_TOTALS;
  for (let cell = range.first; cell <= range.last; cell++)
    totals = withCell(totals, { loadKw: loadKwAt(cell), baselineKw: baselineKwAt(cell) }, terms.targets);
  const recent = toDateOf(totals, expectedOf(range, terms));
  const { cellsExpected, cellsPresent, coverage, meanReductionKw, performance, shareComplying } = recent;
  return { cellsExpected, cellsPresent, coverage, meanReductionKw, performance, shareComplying };
};

interface CellTerms {
  readonly dispatch: DispatchTimes;
  readonly targets: Targets;
  readonly intervalSeconds: number;
}

/** What is expected from the start of the dispatch to a cell. */
const expectedOf = (range: CellRange, { dispatch, targets, intervalSeconds }: CellTerms) => {
  const secondsExpected = Math.max(0, expectedUntilMs(dispatch, range.last, intervalSeconds) - dispatch.startMs) / 1000;
  return { cellsExpected: countOf(range), secondsExpected, targets, intervalSeconds };
};

/** The end of a cell or, with the last one, of the dispatch: it may end within the cell, or after it (M10). */
const expectedUntilMs = (dispatch: DispatchTimes, cell: number, intervalSeconds: number): number => {
  const endMs = measuredEndMs(dispatch);
  const isLast = endMs !== null && cell >= cellsOf({ startMs: dispatch.startMs, endMs }, intervalSeconds).last;
  return isLast ? endMs : cell * intervalSeconds * 1000;
};

const latestCell = (cell: number, found: Findings, { targets, intervalSeconds }: CellTerms): LatestCell => {
  const { commitmentKw } = targets;
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
