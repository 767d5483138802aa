import { intervalsAt, STEP } from "./interval-columns.js";
import type { Intervals } from "./meter-data.js";

/** The sum of several streams of one meter, for example of energy from the grid and into it. */
export interface Summed {
  readonly intervals: Intervals;
  /** Intervals that not all of the streams have: without one of them the sum is not known. */
  readonly unmatched: number;
}

/** Adds intervals that begin together and have the same length; others are left out. */
export function* summed(all: readonly Intervals[]): Generator<undefined, Summed> {
  const [first, ...others] = all;
  if (first === undefined) throw new Error("nothing to add up");
  let [total, unmatched] = [first, 0];
  for (const next of others) {
    const pair = yield* pairSum(total, next);
    total = pair.intervals;
    unmatched += pair.unmatched;
  }
  return { intervals: total, unmatched };
}

function* pairSum(a: Intervals, b: Intervals): Generator<undefined, Summed> {
  const places = new Int32Array(Math.min(a.count, b.count));
  const partners = new Int32Array(places.length);
  let [i, j, count] = [0, 0, 0];
  for (let step = 1; i < a.count && j < b.count; step++) {
    const [aMs, bMs] = [a.startMs[i] ?? 0, b.startMs[j] ?? 0];
    if (aMs === bMs && a.seconds[i] === b.seconds[j]) {
      places[count] = i;
      partners[count++] = j;
    }
    if (aMs <= bMs) i += 1;
    if (bMs <= aMs) j += 1;
    if (step % STEP === 0) yield;
  }
  const intervals = intervalsAt(a, places.subarray(0, count));
  const added = intervalsAt(b, partners.subarray(0, count));
  for (let at = 0; at < count; at++) {
    // A sum with an unknown part is unknown: NaN.
    intervals.powerKw[at] = (intervals.powerKw[at] ?? 0) + (added.powerKw[at] ?? 0);
    intervals.isEstimated[at] = (intervals.isEstimated[at] ?? 0) | (added.isEstimated[at] ?? 0);
  }
  return { intervals, unmatched: a.count + b.count - 2 * count };
}
