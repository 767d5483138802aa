/** The reduction of all sites of a dispatch in one cell of its curve. */
export interface ReducedCell {
  readonly endMs: number;
  /** Number of sites in it. */
  readonly sites: number;
  /** null: unknown. */
  readonly reductionKw: number | null;
}

/** What a dispatch has delivered since its start, in few points. */
export interface ShortCurve {
  readonly fromMs: number;
  readonly stepMs: number;
  /** The mean of each step; null where it is unknown. */
  readonly deliveredKw: ReadonlyArray<number | null>;
}

interface Shortening {
  readonly startMs: number;
  /** Later cells are left out. */
  readonly untilMs: number;
  readonly cellMs: number;
  readonly mostPoints: number;
}

/** The cells from the start on, as the means of steps that all have the same number of cells. */
export const shortCurve = (
  cells: readonly ReducedCell[],
  { startMs, untilMs, cellMs, mostPoints }: Shortening,
): ShortCurve => {
  const count = Math.max(0, Math.floor((untilMs - startMs) / cellMs));
  const stepMs = Math.max(1, Math.ceil(count / mostPoints)) * cellMs;
  const sums = Array.from({ length: Math.ceil((count * cellMs) / stepMs) }, () => ({ kw: 0, cells: 0 }));
  for (const { endMs, reductionKw } of cells) {
    const sum = sums[Math.floor((endMs - cellMs - startMs) / stepMs)];
    if (sum === undefined || reductionKw === null || endMs > untilMs) continue;
    sum.kw += reductionKw;
    sum.cells += 1;
  }
  return {
    fromMs: startMs,
    stepMs,
    deliveredKw: sums.map((sum) => (sum.cells === 0 ? null : sum.kw / sum.cells)),
  };
};

const TREND_MS = 300_000;

/** Change of the reduction in the last five minutes; null unless it is known of as many sites then as now. */
export const trendKw = (cells: readonly ReducedCell[], untilMs: number): number | null => {
  const last = cells.findLast(({ endMs, reductionKw }) => endMs <= untilMs && reductionKw !== null);
  const before = last && cells.find(({ endMs }) => endMs === last.endMs - TREND_MS);
  if (last?.sites !== before?.sites) return null;
  if (last === undefined || last.reductionKw === null || typeof before?.reductionKw !== "number") return null;
  return last.reductionKw - before.reductionKw;
};
