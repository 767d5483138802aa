import { countQuality, type IntervalQuality, intervalQuality, type QualityCounts } from "./data-quality.js";
import { CELL_SECONDS } from "./grid.js";
import { type CellRange, cellsOf, countOf, type LoadSeries, onGrid, type Period, valueAt } from "./load-series.js";
import { intervalsOfDay } from "./local-interval.js";
import { localTime } from "./local-time.js";

/** Lengths of the intervals of a table, in seconds. */
export const TABLE_INTERVALS_SECONDS = [30, 300, 900, 1800, 3600] as const;

/** An interval of a period and the 30-second cells in it. */
export interface TableInterval extends Period {
  readonly cells: CellRange;
}

/** A site of a dispatch, to be shown in a table. */
export interface TableSite {
  /** On 30 s cells. */
  readonly load: LoadSeries;
  /** null: the site has no baseline. */
  readonly baseline: LoadSeries | null;
  readonly commitmentKw: number | null;
  /** Loads of earlier results. */
  readonly earlier: readonly LoadSeries[];
  /** Later cells are not due, and in no row. */
  readonly lastDueCell: number;
}

/** Means over those cells of an interval that have load and, if the site has one, a baseline; null without any. */
export interface TableRow extends QualityCounts {
  readonly endMs: number;
  /** Length of the interval in the dispatch. */
  readonly seconds: number;
  readonly loadKw: number | null;
  readonly baselineKw: number | null;
  /** Baseline minus commitment. */
  readonly targetKw: number | null;
  readonly reductionKw: number | null;
  readonly reductionKwh: number | null;
  /** Share of the due cells that the means are over. */
  readonly coverage: number;
  readonly quality: IntervalQuality;
}

/**
 * The intervals of a period with at least one cell, cut by the local clock (M8), the first and the last by the period, too.
 * Together they have exactly the cells of the period. Made each time: a long dispatch has very many.
 */
export const tableIntervals = (period: Period, seconds: number, timezone: string): Iterable<TableInterval> => ({
  *[Symbol.iterator]() {
    for (const { startMs, endMs } of gridOf(period, seconds, timezone)) {
      const piece = { startMs: Math.max(startMs, period.startMs), endMs: Math.min(endMs, period.endMs) };
      if (piece.startMs >= piece.endMs) continue;
      const cells = cellsOf(piece, CELL_SECONDS);
      if (countOf(cells) > 0) yield { ...piece, cells };
    }
  },
});

/** Whole intervals that reach from before a period until after it. */
function* gridOf(period: Period, seconds: number, timezone: string): Generator<Period> {
  if (seconds === CELL_SECONDS) return yield* cellsAround(period);
  const time = localTime(timezone);
  const last = time.dayOf(period.endMs / 1000);
  for (let day = time.dayOf(period.startMs / 1000); day <= last; day++) {
    for (const { startSeconds, endSeconds } of intervalsOfDay(day, seconds, time))
      yield { startMs: startSeconds * 1000, endMs: endSeconds * 1000 };
  }
}

/** No clock is off by less than a cell, so that cells need no local days, which would be remembered. */
function* cellsAround({ startMs, endMs }: Period): Generator<Period> {
  const lengthMs = CELL_SECONDS * 1000;
  for (let ms = Math.floor(startMs / lengthMs) * lengthMs; ms < endMs; ms += lengthMs)
    yield { startMs: ms, endMs: ms + lengthMs };
}

/** The rows of a site, one by one: a site of a long dispatch has very many. */
export function* tableRows(site: TableSite, intervals: Iterable<TableInterval>): Generator<TableRow> {
  const baseline = site.baseline === null ? null : onGrid(site.baseline, CELL_SECONDS);
  for (const interval of intervals) {
    const row = rowOf({ ...site, baseline }, interval);
    if (row !== null) yield row;
  }
}

/** null if no cell of the interval is due. */
const rowOf = (site: TableSite, { startMs, endMs, cells }: TableInterval): TableRow | null => {
  const due = { first: cells.first, last: Math.min(cells.last, site.lastDueCell) };
  const count = countOf(due);
  if (count === 0) return null;
  const counts = countQuality(due, site.load, site.earlier);
  const { present, loadKw, baselineKw, reductionKw } = sumsOf(site, due);
  const meanOf = (sumKw: number) => (present === 0 || Number.isNaN(sumKw) ? null : sumKw / present);
  const { commitmentKw } = site;
  const mean = meanOf(baselineKw);
  return {
    endMs,
    seconds: (endMs - startMs) / 1000,
    loadKw: meanOf(loadKw),
    baselineKw: mean,
    targetKw: mean === null || commitmentKw === null ? null : mean - commitmentKw,
    reductionKw: meanOf(reductionKw),
    reductionKwh: present === 0 || Number.isNaN(reductionKw) ? null : (reductionKw * CELL_SECONDS) / 3600,
    coverage: present / count,
    quality: intervalQuality(counts, count),
    ...counts,
  };
};

/** Sums of kW; NaN where the site has no baseline. */
const sumsOf = ({ load, baseline }: TableSite, { first, last }: CellRange) => {
  const sums = { present: 0, loadKw: 0, baselineKw: 0, reductionKw: 0 };
  for (let cell = first; cell <= last; cell++) {
    const [loadKw, baselineKw] = [valueAt(load, cell), baseline === null ? Number.NaN : valueAt(baseline, cell)];
    if (Number.isNaN(loadKw) || (baseline !== null && Number.isNaN(baselineKw))) continue;
    sums.present += 1;
    sums.loadKw += loadKw;
    sums.baselineKw += baselineKw;
    sums.reductionKw += baselineKw - loadKw;
  }
  return sums;
};
