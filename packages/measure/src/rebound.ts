import { cellsOf, countOf, type LoadSeries, onGrid, valueAt } from "./load-series.js";

/** The hour after the end. */
export const REBOUND_SECONDS = 3600;

/** How near to its baseline a load is back: within 5 % of it. */
export const BACK_WITHIN = 0.05;

/** How far the load rises above its baseline after a dispatch. */
export interface Rebound {
  readonly cellsExpected: number;
  readonly cellsPresent: number;
  /** Most kW above baseline in a cell, 0 if the load stays below; null if no cell is present. */
  readonly peakKw: number | null;
  /** Baseline in the cell of the peak, to which the peak may be compared. */
  readonly peakBaselineKw: number | null;
  /** kWh above baseline; cells below it do not count against them. */
  readonly energyKwh: number;
  /** From the end to the end of the first cell from which on every cell is within 5 % of its baseline. */
  readonly secondsToBack: number | null;
}

/** Rebound in the `windowSeconds` after the end of what was measured (`measuredEndMs`). */
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
    energyKwh: (energyKw * intervalSeconds) / 3600,
    secondsToBack: backCell === null ? null : backCell * intervalSeconds - endMs / 1000,
  };
};
