import type { Baseline, BaselineRequest, DaysExplanation, GapDays } from "./baseline-result.js";
import { explainedDays } from "./explained-days.js";
import { hasReadingOn } from "./load-profile.js";
import { type LoadSeries, type Period, valueAt } from "./load-series.js";
import { dayOfDate, type LocalTime } from "./local-time.js";
import type { DaysMethod } from "./method.js";
import type { DropReason } from "./pool.js";

/** Fewer are a matter of course: a reading is lost now and then. */
const LEAST_GAP_DAYS = 2;

const DROPPED_BY_LOAD: ReadonlySet<DropReason> = new Set(["incomplete", "low_usage"]);

/**
 * Look-back days that were dropped for gaps, where there are two or more (G65), and what the site gains by it. Those before the
 * first that has a reading are none. `withThem`: the baseline by a method that keeps them.
 */
export const gapDaysOf = (
  found: Baseline & { readonly explanation: DaysExplanation },
  { load, profiles, dispatch, curve }: BaselineRequest,
  { time, withThem }: { readonly time: LocalTime; readonly withThem: () => Baseline },
): GapDays | null => {
  const explained = explainedDays(found.explanation);
  const incomplete = incompleteDays(explained);
  if (incomplete.length < LEAST_GAP_DAYS) return null;
  const dropped = explained.flatMap((day) => day.dropped).filter(({ reason }) => DROPPED_BY_LOAD.has(reason));
  // Only days of the look-back: load between them is not always read.
  const looked = datesOf([...explained.flatMap(({ pool }) => pool), ...dropped]);
  const hasReading = (day: number): boolean => profiles?.get(day)?.hasReading ?? hasReadingOn(load, day, time);
  const first = looked.find((date) => hasReading(dayOfDate(date)));
  const days = first === undefined ? [] : incomplete.filter((date) => date >= first);
  if (days.length < LEAST_GAP_DAYS) return null;
  const period = { startMs: dispatch.startMs, endMs: dispatch.endMs ?? curve.endMs };
  return { days, gainKw: found.state === "none" ? null : gainOf(found.curve, withThem(), period) };
};

const incompleteDays = (explained: ReturnType<typeof explainedDays>): string[] =>
  datesOf(explained.flatMap(({ dropped }) => dropped).filter(({ reason }) => reason === "incomplete"));

/** Whether so many days from a date on were dropped for gaps that there may be gap days. */
export const hasGapDays = (explained: ReturnType<typeof explainedDays>, from: string): boolean =>
  incompleteDays(explained).filter((date) => date >= from).length >= LEAST_GAP_DAYS;

/** Each once, in order. */
const datesOf = (days: ReadonlyArray<{ readonly date: string }>): string[] =>
  [...new Set(days.map(({ date }) => date))].toSorted();

/** A method that keeps incomplete days, with what readings they have. */
export const keepingGaps = (method: DaysMethod): DaysMethod => ({
  ...method,
  rules: method.rules.map((rule) => ({
    ...rule,
    pool: { ...rule.pool, exclude: { ...rule.pool.exclude, incomplete: false } },
  })),
});

/** By how much a baseline is above another on average; null where the other has no value. */
const gainOf = (curve: LoadSeries, other: Baseline, { startMs, endMs }: Period): number | null => {
  if (other.state === "none") return null;
  let [sum, compared] = [0, 0];
  const seconds = Math.min(curve.intervalSeconds, other.curve.intervalSeconds);
  for (let start = startMs / 1000; start < endMs / 1000; start += seconds) {
    const difference = valueIn(curve, start) - valueIn(other.curve, start);
    if (Number.isNaN(difference)) continue;
    sum += difference;
    compared += 1;
  }
  return compared === 0 ? null : sum / compared;
};

/** The value of the cell that begins at an instant or contains it. */
const valueIn = (series: LoadSeries, seconds: number): number =>
  valueAt(series, Math.floor(seconds / series.intervalSeconds) + 1);
