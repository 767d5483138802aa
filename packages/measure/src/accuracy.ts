import { CELL_SECONDS } from "./grid.js";
import { type LoadSeries, onGrid, type Period } from "./load-series.js";
import { intervalsTouching, type LocalInterval, meanIn } from "./local-interval.js";
import { localTime } from "./local-time.js";
import type { BaselineMethod } from "./method.js";

/** Mean load of an interval in which there was no dispatch, and the baseline of the same interval, both in kW. */
export interface ComparedLoad {
  readonly actualKw: number;
  readonly baselineKw: number;
}

/**
 * How far a method's baselines were from the load on days without a dispatch. Every interval counts the same, however
 * long it is and whichever day it is on. Figures are null if nothing was compared.
 */
export interface Accuracy {
  /** Number of days with at least one interval. */
  readonly days: number;
  /** Number of intervals compared. */
  readonly intervals: number;
  /** Mean of the load, in kW. */
  readonly meanActualKw: number | null;
  /** Mean of baseline minus load, in kW: above 0, the method shows reductions that nobody made. */
  readonly biasKw: number | null;
  /** `biasKw` divided by `meanActualKw`, so its sign is reversed where a site exports; null if that is 0. */
  readonly relativeBias: number | null;
  /** Square root of the mean of the squares of baseline minus load, in kW. */
  readonly rmseKw: number | null;
  /** `rmseKw` divided by `meanActualKw`; null unless that is above 0. */
  readonly relativeRmse: number | null;
}

const UNKNOWN: Accuracy = {
  days: 0,
  intervals: 0,
  meanActualKw: null,
  biasKw: null,
  relativeBias: null,
  rmseKw: null,
  relativeRmse: null,
};

/** Bias and root mean square error of a method over its trials, each with the intervals of one day. */
export const accuracyOf = (trials: ReadonlyArray<readonly ComparedLoad[]>): Accuracy => {
  const pairs = trials.flat();
  if (pairs.length === 0) return UNKNOWN;
  const errorsKw = pairs.map(({ actualKw, baselineKw }) => baselineKw - actualKw);
  const meanActualKw = meanOf(pairs.map(({ actualKw }) => actualKw));
  const biasKw = meanOf(errorsKw);
  const rmseKw = Math.sqrt(meanOf(errorsKw.map((kw) => kw * kw)));
  return {
    days: trials.filter((each) => each.length > 0).length,
    intervals: pairs.length,
    meanActualKw,
    biasKw,
    relativeBias: meanActualKw === 0 ? null : biasKw / meanActualKw,
    rmseKw,
    relativeRmse: meanActualKw > 0 ? rmseKw / meanActualKw : null,
  };
};

const meanOf = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;

/** A method without intervals of its own is compared in those of the longest readings. */
const DEFAULT_INTERVAL_SECONDS = 300;

/** Length of the intervals in which a method is compared with the load, in seconds. */
export const comparedSeconds = (method: BaselineMethod): number =>
  method.kind === "days" ? method.interval_seconds : DEFAULT_INTERVAL_SECONDS;

export interface Comparison {
  /** On 30 s cells. */
  readonly load: LoadSeries;
  readonly baseline: LoadSeries;
  /** The dispatch that was assumed. */
  readonly period: Period;
  readonly intervalSeconds: number;
  /** IANA name. */
  readonly timezone: string;
}

/**
 * Load and baseline in the intervals of a period, which are cut by the local clock, the first and last by the period, too.
 * An interval counts if at least half of its cells have load, and it has a baseline.
 */
export const comparedLoads = ({ load, baseline, period, intervalSeconds, timezone }: Comparison): ComparedLoad[] => {
  const fine = onGrid(baseline, CELL_SECONDS);
  return intervalsTouching(period, intervalSeconds, localTime(timezone))
    .map((interval) => cutTo(period, interval))
    .map((part) => ({ actualKw: meanIn(load, part), baselineKw: meanIn(fine, part) }))
    .filter(({ actualKw, baselineKw }) => !Number.isNaN(actualKw) && !Number.isNaN(baselineKw));
};

const cutTo = ({ startMs, endMs }: Period, interval: LocalInterval): LocalInterval => ({
  ...interval,
  startSeconds: Math.max(interval.startSeconds, startMs / 1000),
  endSeconds: Math.min(interval.endSeconds, endMs / 1000),
});
