import { type Intervals, intervalsAt } from "@curtail/meter-data";
import { rounded } from "../../platform/rounded.js";
import { formatTimestamp } from "../../platform/timestamp.js";
import { MAX_POWER_KW, type TimeBounds } from "../domain/reading.js";

interface Storing {
  readonly leavesOutEstimated: boolean;
  readonly bounds: TimeBounds;
  readonly report: (line: number, message: string) => void;
}

const STEP = 10_000;

/** The intervals with a value, reporting those that may not be stored. Yields between steps. */
export function* storable(
  intervals: Intervals,
  { leavesOutEstimated, bounds, report }: Storing,
): Generator<undefined, Intervals> {
  const { count, powerKw, isEstimated, line } = intervals;
  const kept = new Int32Array(count);
  let length = 0;
  for (let at = 0; at < count; at++) {
    if (at % STEP === STEP - 1) yield;
    if (Number.isNaN(powerKw[at]) || (leavesOutEstimated && isEstimated[at] === 1)) continue;
    const fault = faultOf(intervals, at, bounds);
    if (fault !== null) report(line[at] ?? 1, fault);
    kept[length++] = at;
  }
  return {
    ...intervalsAt(intervals, kept.subarray(0, length)),
    powerKw: yield* withoutNoise(powerKw, kept.subarray(0, length)),
  };
}

/** Powers of energies and sums have rounding noise. */
function* withoutNoise(powerKw: Float64Array, kept: Int32Array): Generator<undefined, Float64Array> {
  const found = new Float64Array(kept.length);
  for (const [to, at] of kept.entries()) {
    if (to % STEP === STEP - 1) yield;
    found[to] = rounded(powerKw[at] ?? Number.NaN);
  }
  return found;
}

const faultOf = ({ startMs, seconds, powerKw }: Intervals, at: number, { earliestMs, latestMs }: TimeBounds) => {
  const fromMs = startMs[at] ?? 0;
  const toMs = fromMs + (seconds[at] ?? 0) * 1000;
  const kw = powerKw[at] ?? 0;
  if (toMs > latestMs)
    return `the interval ends at ${formatTimestamp(toMs)}, which is in the future; leave it out, or check the time zone`;
  if (fromMs < earliestMs)
    return `the interval begins at ${formatTimestamp(fromMs)}; readings before ${formatTimestamp(earliestMs)} are not kept, leave it out`;
  return Math.abs(kw) > MAX_POWER_KW
    ? `the mean power is ${kw} kW; its magnitude may be at most ${MAX_POWER_KW} kW, check the unit`
    : null;
};
