import { countQuality, type IntervalQuality, intervalQuality, type QualityCounts } from "./data-quality.js";
import { CELL_SECONDS } from "./grid.js";
import { type CellRange, cellsOf, countOf, type LoadSeries, onGrid, type Period, valueAt } from "./load-series.js";
import { intervalsTouching } from "./local-interval.js";
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
 * Together they have exactly the cells of the period.
 */
export const tableIntervals = (period: Period, seconds: number, timezone: string): TableInterval[] =>
  piecesOf(period, seconds, timezone)
    .map((piece) => ({ ...piece, cells: cellsOf(piece, CELL_SECONDS) }))
    .filter(({ cells }) => countOf(cells) > 0);

/** No clock is off by less than a cell, so that those need no local days, which would be remembered. */
const piecesOf = (period: Period, seconds: number, timezone: string): Period[] =>
  seconds === CELL_SECONDS
    ? cellPieces(period)
    : intervalsTouching(period, seconds, localTime(timezone)).map(({ startSeconds, endSeconds }) => ({
        startMs: Math.max(startSeconds * 1000, period.startMs),
        endMs: Math.min(endSeconds * 1000, period.endMs),
      }));

const cellPieces = ({ startMs, endMs }: Period): Period[] => {
  const lengthMs = CELL_SECONDS * 1000;
  const first = Math.floor(startMs / lengthMs);
  return Array.from({ length: Math.max(0, Math.ceil(endMs / lengthMs) - first) }, (_, index) => ({
    startMs: Math.max((first + index) * lengthMs, startMs),
    endMs: Math.min((first + index + 1) * lengthMs, endMs),
  }));
};

/** The rows of a site, one by one: a site of a long dispatch has very many. */
export function* tableRows(site: TableSite, intervals: readonly TableInterval[]): Generator<TableRow> {
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
