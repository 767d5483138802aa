import type { Intervals } from "./meter-data.js";

/** What intervals have, in numbers. */
export interface Summary {
  /** Start of the first interval with data, in Unix milliseconds; null without any. */
  readonly startMs: number | null;
  /** End of the last one. */
  readonly endMs: number | null;
  /** Their length; null if there are several lengths. */
  readonly intervalSeconds: number | null;
  readonly intervals: number;
  /** Without data between the first and the last, counted at the length of the next one. */
  readonly missing: number;
  readonly estimated: number;
  readonly energyKwh: number;
}

const MS_PER_HOUR = 3_600_000;

export const summaryOf = ({ count, startMs, seconds, powerKw, isEstimated }: Intervals): Summary => {
  let [first, end, intervals, missing, estimated, energyKwh] = [-1, 0, 0, 0, 0, 0];
  const lengths = new Set<number>();
  for (let at = 0; at < count; at++) {
    const kw = powerKw[at] ?? Number.NaN;
    if (Number.isNaN(kw)) continue;
    const [from, lengthMs] = [startMs[at] ?? 0, (seconds[at] ?? 0) * 1000];
    if (first < 0) first = from;
    else missing += Math.round((from - end) / lengthMs);
    end = from + lengthMs;
    intervals += 1;
    estimated += isEstimated[at] ?? 0;
    energyKwh += (kw * lengthMs) / MS_PER_HOUR;
    lengths.add(lengthMs / 1000);
  }
  const [length = null] = lengths;
  return {
    startMs: intervals === 0 ? null : first,
    endMs: intervals === 0 ? null : end,
    intervalSeconds: lengths.size === 1 ? length : null,
    intervals,
    missing,
    estimated,
    energyKwh,
  };
};
