import type { Sampling } from "../config/config.js";

/** A value of a meter, from its time until the next one. */
export interface Sample {
  readonly atMs: number;
  readonly kw: number;
}

export type IntervalValue = { readonly kw: number } | { readonly why: string };

/** The end of the interval that a time lies in; intervals are aligned to the clock. */
export const endOfInterval = (atMs: number, intervalMs: number): number =>
  (Math.floor(atMs / intervalMs) + 1) * intervalMs;

/**
 * The value of the interval that ends at `endMs`, or why there is none. A sample holds until the next one, at most for
 * `staleMs`; an average is weighted by time and must be known for the share `coverage` of the interval.
 *
 * @param samples oldest first
 */
export const valueOfInterval = (samples: readonly Sample[], endMs: number, sampling: Sampling): IntervalValue =>
  sampling.method === "last" ? lastValue(samples, endMs, sampling) : averageValue(samples, endMs, sampling);

const lastValue = (samples: readonly Sample[], endMs: number, { staleMs }: Sampling): IntervalValue => {
  const last = samples.findLast(({ atMs }) => atMs <= endMs);
  if (last === undefined) return { why: "no value came" };
  return endMs - last.atMs <= staleMs
    ? { kw: last.kw }
    : { why: `the last value is ${seconds(endMs - last.atMs)} old` };
};

const averageValue = (
  samples: readonly Sample[],
  endMs: number,
  { intervalMs, staleMs, coverage }: Sampling,
): IntervalValue => {
  const startMs = endMs - intervalMs;
  let knownMs = 0;
  let sum = 0;
  // Those before it ended before the interval began.
  const first = Math.max(
    0,
    samples.findLastIndex(({ atMs }) => atMs <= startMs),
  );
  for (let index = first; index < samples.length; index++) {
    const { atMs, kw } = samples[index] ?? { atMs: endMs, kw: 0 };
    const nextMs = samples[index + 1]?.atMs ?? Number.POSITIVE_INFINITY;
    const heldMs = Math.min(nextMs, atMs + staleMs, endMs) - Math.max(atMs, startMs);
    if (heldMs <= 0) continue;
    knownMs += heldMs;
    sum += kw * heldMs;
  }
  if (knownMs === 0) return { why: "no value came" };
  if (knownMs < coverage * intervalMs) return { why: `values cover ${seconds(knownMs)} of ${seconds(intervalMs)}` };
  return { kw: sum / knownMs };
};

const seconds = (ms: number): string => `${Math.round(ms / 1000)} s`;

/** Without the samples that can no longer count. */
export const recentSamples = (samples: readonly Sample[], sinceMs: number): readonly Sample[] => {
  // The one before `sinceMs` may still hold.
  if ((samples[1]?.atMs ?? Number.POSITIVE_INFINITY) > sinceMs) return samples;
  return samples.slice(samples.findLastIndex(({ atMs }) => atMs <= sinceMs));
};
