import { type LoadSeries, onGrid, valueAt } from "./load-series.js";

/** Baseline minus load in kW, on the load's grid; NaN where either is missing. Negative if the load rose. */
export const reductionOf = (load: LoadSeries, baseline: LoadSeries): LoadSeries => {
  const base = onGrid(baseline, load.intervalSeconds);
  return { ...load, values: load.values.map((kw, index) => valueAt(base, load.firstCell + index) - kw) };
};

/** Reduction divided by commitment; null if the reduction is unknown or the commitment is 0 or null. */
export const performanceOf = (reductionKw: number | null, commitmentKw: number | null): number | null => {
  if (reductionKw === null || Number.isNaN(reductionKw) || commitmentKw === null || commitmentKw === 0) return null;
  return reductionKw / commitmentKw;
};

// A difference of decimal kW may miss the commitment by the last bits of a double.
const ROUNDING_KW = 1e-9;

/** Whether a reduction is at least the target; never for NaN. */
export const reaches = (reductionKw: number, targetKw: number): boolean => reductionKw >= targetKw - ROUNDING_KW;

export const nullIfNaN = (value: number): number | null => (Number.isNaN(value) ? null : value);
