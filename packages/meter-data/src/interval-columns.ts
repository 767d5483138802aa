import { Unreadable } from "./fault-list.js";
import type { Intervals } from "./meter-data.js";

/** Nine years of one meter in steps of 5 minutes. */
const MAX_INTERVALS = 1_000_000;
/** Longer means would hide the course of a day. */
export const MAX_INTERVAL_SECONDS = 3600;
const STEP_SECONDS = 30;
const FIRST_CAPACITY = 32;
/** Streams of a file; each takes memory. */
export const MAX_SERIES = 500;
/** Longest name of a stream. */
export const MAX_NAME = 200;
/** Intervals that are worked on before others have a turn. */
export const STEP = 4096;

/** The intervals that a file may still have. */
export class IntervalBudget {
  private taken = 0;

  constructor(private readonly most = MAX_INTERVALS) {}

  take(line: number): void {
    this.taken += 1;
    if (this.taken > this.most)
      throw new Unreadable(line, `the file has more than ${this.most} intervals; split it into several files`);
  }
}

/** Why intervals of this length are refused; null if they are not. */
export const lengthFault = (seconds: number): string | null => {
  if (!Number.isInteger(seconds) || seconds <= 0 || seconds % STEP_SECONDS !== 0)
    return `an interval has ${seconds} s; it must be a multiple of ${STEP_SECONDS} s`;
  return seconds > MAX_INTERVAL_SECONDS
    ? `an interval has ${seconds} s; intervals longer than an hour are no load curve, export shorter ones`
    : null;
};

export interface Interval {
  readonly startMs: number;
  readonly seconds: number;
  /** A value in the file's unit, until the unit is known. */
  readonly value: number;
  readonly isEstimated: boolean;
  readonly line: number;
}

/** Growing columns of intervals, in the order of the file. */
export class IntervalColumns {
  count = 0;
  startMs = new Float64Array(FIRST_CAPACITY);
  seconds = new Int32Array(FIRST_CAPACITY);
  powerKw = new Float64Array(FIRST_CAPACITY);
  isEstimated = new Uint8Array(FIRST_CAPACITY);
  line = new Int32Array(FIRST_CAPACITY);

  /** @param budget null: the intervals were counted before */
  constructor(private readonly budget: IntervalBudget | null) {}

  add({ startMs, seconds, value, isEstimated, line }: Interval): void {
    this.budget?.take(line);
    if (this.count === this.startMs.length) this.grow();
    const at = this.count++;
    this.startMs[at] = startMs;
    this.seconds[at] = seconds;
    this.powerKw[at] = value;
    this.isEstimated[at] = isEstimated ? 1 : 0;
    this.line[at] = line;
  }

  private grow(): void {
    const capacity = this.startMs.length * 2;
    const { startMs, seconds, powerKw, isEstimated, line } = this;
    this.startMs = new Float64Array(capacity);
    this.startMs.set(startMs);
    this.seconds = new Int32Array(capacity);
    this.seconds.set(seconds);
    this.powerKw = new Float64Array(capacity);
    this.powerKw.set(powerKw);
    this.isEstimated = new Uint8Array(capacity);
    this.isEstimated.set(isEstimated);
    this.line = new Int32Array(capacity);
    this.line.set(line);
  }
}

/** The intervals at these places, in their order. */
export const intervalsAt = (of: IntervalColumns | Intervals, places: Int32Array): Intervals => {
  const count = places.length;
  const found = {
    count,
    startMs: new Float64Array(count),
    seconds: new Int32Array(count),
    powerKw: new Float64Array(count),
    isEstimated: new Uint8Array(count),
    line: new Int32Array(count),
  };
  for (let index = 0; index < count; index++) {
    const at = places[index] ?? 0;
    found.startMs[index] = of.startMs[at] ?? 0;
    found.seconds[index] = of.seconds[at] ?? 0;
    found.powerKw[index] = of.powerKw[at] ?? 0;
    found.isEstimated[index] = of.isEstimated[at] ?? 0;
    found.line[index] = of.line[at] ?? 0;
  }
  return found;
};
