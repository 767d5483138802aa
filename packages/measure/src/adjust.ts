import { type CellRange, cellsInside, countOf, type LoadSeries, type Period, valueAt } from "./load-series.js";
import type { Adjustment, Anchor, Window } from "./method.js";

/** The instants that windows are counted back from, in Unix milliseconds. */
export type AnchorsMs = Readonly<Record<Anchor, number>>;

/** How a baseline was adjusted. The unit of `raw` and `applied` is kW (additive) or 1 (multiplicative). */
export interface AppliedAdjustment {
  readonly kind: "additive" | "multiplicative";
  readonly windowStartMs: number;
  readonly windowEndMs: number;
  readonly intervalsExpected: number;
  /** Intervals of the window that have both load and baseline; both means cover these. */
  readonly intervalsUsed: number;
  readonly actualMeanKw: number | null;
  readonly baselineMeanKw: number | null;
  /** Before the limits are applied; null if undefined. */
  readonly raw: number | null;
  /** After the limits are applied; 0 or 1 if nothing was applied. */
  readonly applied: number;
  /** Why nothing was applied; null if it was. */
  readonly notApplied: string | null;
}

type Adjusting = Exclude<Adjustment, { kind: "none" }>;

export const windowPeriod = (window: Window, anchors: AnchorsMs): Period => ({
  startMs: anchors[window.anchor] - window.from_minutes_before * 60_000,
  endMs: anchors[window.anchor] - window.to_minutes_before * 60_000,
});

/** Intervals entirely inside the window, so that none extends past the anchor. */
export const windowCells = (window: Window, anchors: AnchorsMs, intervalSeconds: number): CellRange =>
  cellsInside(windowPeriod(window, anchors), intervalSeconds);

/** Compares load and unadjusted baseline in the window. `baselineAt` gives kW for a cell of the load's grid. */
export const adjustmentFor = (
  adjust: Adjusting,
  load: LoadSeries,
  anchors: AnchorsMs,
  baselineAt: (cell: number) => number,
): AppliedAdjustment => {
  const period = windowPeriod(adjust.window, anchors);
  const cells = windowCells(adjust.window, anchors, load.intervalSeconds);
  const means = meansOf(load, cells, baselineAt);
  const { raw, notApplied } = rawOf(adjust.kind, means, countOf(cells));
  const neutral = adjust.kind === "additive" ? 0 : 1;
  return {
    kind: adjust.kind,
    windowStartMs: period.startMs,
    windowEndMs: period.endMs,
    intervalsExpected: countOf(cells),
    intervalsUsed: means.used,
    actualMeanKw: means.used === 0 ? null : means.actualKw,
    baselineMeanKw: means.used === 0 ? null : means.baselineKw,
    raw,
    applied: raw === null || notApplied !== null ? neutral : bounded(raw, adjust),
    notApplied,
  };
};

/** A baseline value with the adjustment applied. */
export const adjusted = (kw: number, { kind, applied }: AppliedAdjustment): number =>
  kind === "additive" ? kw + applied : kw * applied;

interface Means {
  readonly actualKw: number;
  readonly baselineKw: number;
  readonly used: number;
}

const meansOf = (load: LoadSeries, cells: CellRange, baselineAt: (cell: number) => number): Means => {
  let [actual, baseline, used] = [0, 0, 0];
  for (let cell = cells.first; cell <= cells.last; cell++) {
    const [actualKw, baselineKw] = [valueAt(load, cell), baselineAt(cell)];
    if (Number.isNaN(actualKw) || Number.isNaN(baselineKw)) continue;
    actual += actualKw;
    baseline += baselineKw;
    used += 1;
  }
  return { actualKw: actual / used, baselineKw: baseline / used, used };
};

interface Raw {
  readonly raw: number | null;
  readonly notApplied: string | null;
}

const rawOf = (kind: Adjusting["kind"], { actualKw, baselineKw, used }: Means, expected: number): Raw => {
  if (used === 0) return { raw: null, notApplied: "no interval of the window has both a reading and a baseline" };
  if (kind === "multiplicative" && baselineKw <= 0) {
    return {
      raw: null,
      notApplied: `the baseline's mean in the window is ${baselineKw} kW; a ratio needs a mean above 0`,
    };
  }
  if (kind === "multiplicative" && actualKw < 0) {
    return {
      raw: null,
      notApplied: `the load's mean in the window is ${actualKw} kW; a ratio needs a mean of 0 or more`,
    };
  }
  const raw = kind === "additive" ? actualKw - baselineKw : actualKw / baselineKw;
  // The same share that a coarse interval needs to count (see coarsen).
  if (used * 2 < expected) {
    return {
      raw,
      notApplied: `${used} of ${expected} intervals of the window have readings; at least half are required`,
    };
  }
  return { raw, notApplied: null };
};

const bounded = (raw: number, { lowest, highest }: Adjusting): number =>
  Math.min(Math.max(raw, lowest ?? Number.NEGATIVE_INFINITY), highest ?? Number.POSITIVE_INFINITY);
