import { CELL_SECONDS, cellEndMs, type LoadSeries, onGrid, STATUS_LIMITS, staleAfterSeconds } from "@curtail/measure";
import type { DispatchReport } from "./measure-dispatch.js";
import type { SiteDetail, SiteSummary } from "./site-summary.js";

/** Totals of a dispatch's sites at the end of a cell; null if no site has data. */
export interface PortfolioCell {
  readonly endMs: number;
  /** Number of sites in the totals. */
  readonly sites: number;
  readonly commitmentKw: number;
  readonly baselineKw: number | null;
  readonly loadKw: number | null;
  readonly reductionKw: number | null;
  readonly targetKw: number | null;
}

/** A site with what its curve is added up from. */
export type CurvedSite = Pick<SiteSummary & SiteDetail, "load" | "curve" | "commitmentKw" | "readingSeconds">;

interface Sum {
  sites: number;
  commitmentKw: number;
  baselineKw: number;
  loadKw: number;
}

export interface CurveMeasuring {
  readonly asOfMs: number;
  /** Whether nothing is awaited any more. */
  readonly isFinal: boolean;
  readonly staleSeconds?: number;
}

/**
 * Adds up the curves of sites one by one, so that not all need to be in memory. Until the result is final, a site counts
 * in each cell with its newest cell that has load and baseline, unless that is stale: otherwise sites that report every
 * minute, each at its own second, would make the total jump. In a final result it counts only in cells that it has (M10).
 * Future cells have a baseline but no load.
 */
export class PortfolioCurve {
  private readonly cells = new Map<number, Sum>();
  private readonly lastCell: number;
  // Sites of a dispatch mostly have load of the same cells: those of the site before, with their sums.
  private recent = { firstCell: 0, sums: [] as Sum[], baselines: new Float64Array(0) };

  constructor(private readonly measuring: CurveMeasuring) {
    this.lastCell = Math.floor(measuring.asOfMs / 1000 / CELL_SECONDS);
  }

  add({ load: { firstCell, values }, curve, commitmentKw, readingSeconds }: CurvedSite): void {
    const { sums, baselines } = this.recentOf(firstCell, values.length);
    if (curve === null) return;
    putOnCells(curve, firstCell, baselines);
    const heldCells = heldCellsOf(this.measuring, readingSeconds);
    const toCome = this.lastCell + 1 - firstCell;
    let newest = Number.NEGATIVE_INFINITY;
    for (const [at, sum] of sums.entries()) {
      if (!Number.isNaN(values[at]) && !Number.isNaN(baselines[at])) newest = at;
      const from = at >= toCome ? at : newest;
      const baselineKw = at - from > heldCells ? Number.NaN : (baselines[from] ?? Number.NaN);
      if (Number.isNaN(baselineKw)) continue;
      sum.sites += 1;
      sum.commitmentKw += commitmentKw ?? 0;
      sum.baselineKw += baselineKw;
      sum.loadKw += at >= toCome ? Number.NaN : (values[from] ?? Number.NaN);
    }
  }

  /** Oldest first. */
  result(): PortfolioCell[] {
    const sorted = [...this.cells].toSorted(([a], [b]) => a - b);
    return sorted.map(([cell, sum]) => ({ endMs: cellEndMs(cell), ...cellOf(sum) }));
  }

  private recentOf(firstCell: number, count: number) {
    if (this.recent.firstCell === firstCell && this.recent.sums.length === count) return this.recent;
    const sums = Array.from({ length: count }, (_, at) => this.sumOf(firstCell + at));
    this.recent = { firstCell, sums, baselines: new Float64Array(count) };
    return this.recent;
  }

  private sumOf(cell: number): Sum {
    const known = this.cells.get(cell);
    if (known !== undefined) return known;
    const sum = { sites: 0, commitmentKw: 0, baselineKw: 0, loadKw: 0 };
    this.cells.set(cell, sum);
    return sum;
  }
}

/** Writes the means of a curve, mostly of longer intervals, to the cells from one on; NaN where it has none. */
const putOnCells = (curve: LoadSeries, firstCell: number, cells: Float64Array): void => {
  const { intervalSeconds, firstCell: first, values } = isWhole(curve) ? curve : onGrid(curve, CELL_SECONDS);
  const factor = intervalSeconds / CELL_SECONDS;
  const begin = (first - 1) * factor + 1;
  for (let at = 0; at < cells.length; at++)
    cells[at] = values[Math.floor((firstCell + at - begin) / factor)] ?? Number.NaN;
};

const isWhole = ({ intervalSeconds }: LoadSeries): boolean => intervalSeconds % CELL_SECONDS === 0;

/** For how many cells more a site counts with its newest one. */
export const heldCellsOf = (
  { isFinal, staleSeconds = STATUS_LIMITS.staleSeconds }: CurveMeasuring,
  readingSeconds: number | undefined,
): number => (isFinal ? 0 : Math.floor(staleAfterSeconds(staleSeconds, readingSeconds) / CELL_SECONDS));

const cellOf = ({ sites, commitmentKw, baselineKw, loadKw }: Sum): Omit<PortfolioCell, "endMs"> => {
  const of = (kw: number) => (sites === 0 || Number.isNaN(kw) ? null : kw);
  return {
    sites,
    commitmentKw,
    baselineKw: of(baselineKw),
    loadKw: of(loadKw),
    reductionKw: of(baselineKw - loadKw),
    targetKw: of(baselineKw - commitmentKw),
  };
};

export const measuringOf = ({ dispatch, asOfMs, version }: Omit<DispatchReport, "sites">): CurveMeasuring => ({
  asOfMs,
  isFinal: version !== null,
  ...dispatch.statusLimits,
});

/** An empty curve for the sites of a report. */
export const curveFor = (report: Omit<DispatchReport, "sites">): PortfolioCurve =>
  new PortfolioCurve(measuringOf(report));

/** The curve of those sites of a report. */
export const portfolioCurve = (
  report: Omit<DispatchReport, "sites">,
  sites: readonly CurvedSite[],
): PortfolioCell[] => {
  const curve = curveFor(report);
  for (const site of sites) curve.add(site);
  return curve.result();
};
