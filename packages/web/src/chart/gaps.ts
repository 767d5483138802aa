import { secondsOf } from "./curve.js";
import type { TimeRange } from "./zoom.js";

/**
 * Periods without a measured value, in seconds. Timestamps are ends of intervals, so a gap begins with the last value
 * before it. What is missing at the end may still arrive, and is no gap.
 */
export const gapsOf = (
  timestamps: readonly (string | number)[],
  values: readonly (number | null)[],
): readonly TimeRange[] => {
  const last = values.findLastIndex((value) => value !== null);
  const gaps: TimeRange[] = [];
  for (let i = 0; i < last; i++) {
    if (values[i] !== null) continue;
    const from = i;
    while (values[i] === null) i++;
    gaps.push({ min: startOf(timestamps, from), max: secondsOf(timestamps[i - 1] ?? 0) });
  }
  return gaps;
};

/** The start of an interval: the end of the one before. */
const startOf = (timestamps: readonly (string | number)[], index: number): number => {
  const at = (i: number) => secondsOf(timestamps[i] ?? 0);
  return index > 0 ? at(index - 1) : at(0) - Math.max(0, at(1) - at(0));
};

export const isIn = (seconds: number, { min, max }: TimeRange): boolean => seconds > min && seconds <= max;

/** Seconds that the gaps last together. */
export const gapSeconds = (gaps: readonly TimeRange[]): number =>
  gaps.reduce((sum, { min, max }) => sum + max - min, 0);
