import { cellsOf, countOf, type LoadSeries, onGrid, valueAt } from "./load-series.js";

/** The hour after the end. */
export const REBOUND_SECONDS = 3600;

/** Relative deviation from the baseline within which the load counts as back: 5 %. */
export const BACK_WITHIN = 0.05;

/** How far the load rises above its baseline after a dispatch. */
export interface Rebound {
  readonly cellsExpected: number;
  readonly cellsPresent: number;
  /** Highest kW above baseline in a cell, 0 if the load stays below; null without cells. */
  readonly peakKw: number | null;
  /** Baseline in the cell of the peak, for comparison. */
  readonly peakBaselineKw: number | null;
  /** kWh above baseline; cells below it do not offset it. null without cells. */
  readonly energyKwh: number | null;
  /** From the end until the end of the first cell from which on all cells are within 5 % of their baseline. */
  readonly secondsToBack: number | null;
}

/** Rebound in the `windowSeconds` after the measured period (`measuredEndMs`). */
export const reboundOf = (
  { load, baseline }: { readonly load: LoadSeries; readonly baseline: LoadSeries },
  endMs: number,
  windowSeconds = REBOUND_SECONDS,
): Rebound => {
  const { intervalSeconds } = load;
  const range = cellsOf({ startMs: endMs, endMs: endMs + windowSeconds * 1000 }, intervalSeconds);
  const base = onGrid(baseline, intervalSeconds);
  let [present, energyKw] = [0, 0];
  let peak: { readonly kw: number; readonly baselineKw: number } | null = null;
  let backCell: number | null = null;
  for (let cell = range.first; cell <= range.last; cell++) {
    const baselineKw = valueAt(base, cell);
    const aboveKw = valueAt(load, cell) - baselineKw;
    if (Number.isNaN(aboveKw)) continue;
    present += 1;
    energyKw += Math.max(0, aboveKw);
    if (peak === null || aboveKw > peak.kw) peak = { kw: Math.max(0, aboveKw), baselineKw };
    const isBack = Math.abs(aboveKw) <= BACK_WITHIN * Math.abs(baselineKw);
    backCell = isBack ? (backCell ?? cell) : null;
  }
  return {
    cellsExpected: countOf(range),
    cellsPresent: present,
    peakKw: peak?.kw ?? null,
    peakBaselineKw: peak?.baselineKw ?? null,
    energyKwh: present === 0 ? null : (energyKw * intervalSeconds) / 3600,
    secondsToBack: backCell === null ? null : backCell * intervalSeconds - endMs / 1000,
  };
};
