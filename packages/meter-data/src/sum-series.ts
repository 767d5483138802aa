import { IntervalColumns, STEP } from "./interval-columns.js";
import type { Intervals } from "./meter-data.js";

/** The sum of several streams of one meter, for example of energy from the grid and into it. */
export interface Summed {
  readonly intervals: Intervals;
  /** Intervals that not all of the streams have: without one of them the sum is not known. */
  readonly unmatched: number;
}

/**
 * Adds intervals that begin together and have the same length. Before the first interval of a stream and after its last, the
 * others count alone: a register was added, or removed. Within, an interval that one of them has not is left out.
 */
export function* summed(all: readonly Intervals[]): Generator<undefined, Summed> {
  const [only, ...others] = all;
  if (only === undefined) throw new Error("nothing to add up");
  if (others.length === 0) return { intervals: only, unmatched: 0 };
  const streams = all.map(streamOf);
  const sum = new IntervalColumns(null);
  let unmatched = 0;
  for (let step = 1; ; step++) {
    const startMs = Math.min(...streams.map(nextStart));
    if (startMs === Number.POSITIVE_INFINITY) break;
    unmatched += addNext(streams, startMs, sum);
    if (step % STEP === 0) yield;
  }
  return { intervals: trimmed(sum), unmatched };
}

/** A stream, the next place in it, and the time from its first interval to its last, with or without a value. */
interface Stream {
  readonly of: Intervals;
  at: number;
  readonly firstMs: number;
  readonly lastMs: number;
}

const streamOf = (of: Intervals): Stream => {
  const last = of.count - 1;
  if (last < 0) return { of, at: 0, firstMs: Number.POSITIVE_INFINITY, lastMs: Number.NEGATIVE_INFINITY };
  return { of, at: 0, firstMs: of.startMs[0] ?? 0, lastMs: (of.startMs[last] ?? 0) + (of.seconds[last] ?? 0) * 1000 };
};

const nextStart = ({ of, at }: Stream): number => (at < of.count ? (of.startMs[at] ?? 0) : Number.POSITIVE_INFINITY);

/** Adds the intervals that begin at this time, if they are the sum; returns how many are left out. */
const addNext = (streams: readonly Stream[], startMs: number, sum: IntervalColumns): number => {
  const next = streams.filter((stream) => nextStart(stream) === startMs);
  const lengths = next.map(({ of, at }) => of.seconds[at] ?? 0);
  const endMs = startMs + Math.max(...lengths) * 1000;
  // A stream counts from its first interval to its last.
  const counting = streams.filter(({ firstMs, lastMs }) => startMs < lastMs && endMs > firstMs);
  const isWhole =
    counting.every((stream) => next.includes(stream)) && lengths.every((seconds) => seconds === lengths[0]);
  if (isWhole) {
    let [value, isEstimated] = [0, false];
    // A sum with an unknown part is unknown: NaN.
    for (const { of, at } of counting) {
      value += of.powerKw[at] ?? 0;
      isEstimated ||= of.isEstimated[at] === 1;
    }
    const [{ of, at } = { of: null, at: 0 }] = counting;
    sum.add({ startMs, seconds: lengths[0] ?? 0, value, isEstimated, line: of?.line[at] ?? 1 });
  }
  for (const stream of next) stream.at += 1;
  return isWhole ? 0 : next.length;
};

const trimmed = ({ count, startMs, seconds, powerKw, isEstimated, line }: IntervalColumns): Intervals => ({
  count,
  startMs: startMs.slice(0, count),
  seconds: seconds.slice(0, count),
  powerKw: powerKw.slice(0, count),
  isEstimated: isEstimated.slice(0, count),
  line: line.slice(0, count),
});
