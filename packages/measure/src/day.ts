import type { LocalInterval } from "./local-interval.js";
import type { DayType } from "./method.js";

/** Load of one local day by local time of day. */
export interface DayLoad {
  readonly day: number;
  /** Mean kW of each local interval, NaN without data: a repeated local hour is averaged, a skipped one is NaN. */
  readonly slotsKw: Float64Array;
  readonly energyKwh: number;
  readonly missing: number;
  readonly expected: number;
  /** Intervals of each slot: 2 where a local hour is repeated, 0 where it is skipped; and those of them without data. */
  readonly intervalsAt: Uint8Array;
  readonly gapsAt: Uint8Array;
}

/** A local day and its intervals. */
export interface CutDay {
  readonly day: number;
  readonly intervals: readonly LocalInterval[];
  readonly intervalSeconds: number;
}

const SECONDS_PER_DAY = 86_400;

/** The load of a local day of 23, 24 or 25 hours. `means`: mean kW of each of its intervals, NaN without data. */
export const dayLoad = (means: Float64Array, { day, intervals, intervalSeconds }: CutDay): DayLoad => {
  const slotsKw = new Float64Array(Math.floor(SECONDS_PER_DAY / intervalSeconds));
  const counts = new Uint8Array(slotsKw.length);
  const intervalsAt = new Uint8Array(slotsKw.length);
  const gapsAt = new Uint8Array(slotsKw.length);
  let kwSeconds = 0;
  let missing = 0;
  for (const [nth, interval] of intervals.entries()) {
    const kw = means[nth] ?? Number.NaN;
    const { slot } = interval;
    intervalsAt[slot] = (intervalsAt[slot] ?? 0) + 1;
    if (Number.isNaN(kw)) {
      missing += 1;
      gapsAt[slot] = (gapsAt[slot] ?? 0) + 1;
      continue;
    }
    slotsKw[slot] = (slotsKw[slot] ?? 0) + kw;
    counts[slot] = (counts[slot] ?? 0) + 1;
    kwSeconds += kw * (interval.endSeconds - interval.startSeconds);
  }
  // 0 ÷ 0 makes the gaps NaN.
  for (let slot = 0; slot < counts.length; slot++) slotsKw[slot] = (slotsKw[slot] ?? 0) / (counts[slot] ?? 0);
  return { day, slotsKw, energyKwh: kwSeconds / 3600, missing, expected: intervals.length, intervalsAt, gapsAt };
};

/** How many intervals a day has in some slots, and how many of them are without data. */
export const gapsIn = (
  { intervalsAt, gapsAt }: Pick<DayLoad, "intervalsAt" | "gapsAt">,
  slots: Iterable<number>,
): { readonly missing: number; readonly expected: number } => {
  let [missing, expected] = [0, 0];
  for (const slot of slots) {
    missing += gapsAt[slot] ?? 0;
    expected += intervalsAt[slot] ?? 0;
  }
  return { missing, expected };
};

/** Mean over some slots of the day, ignoring gaps; NaN if all are gaps. */
export const meanOfSlots = (slotsKw: Float64Array, slots: Iterable<number>): number => {
  let sum = 0;
  let present = 0;
  for (const slot of slots) {
    const kw = slotsKw[slot] ?? Number.NaN;
    if (Number.isNaN(kw)) continue;
    sum += kw;
    present += 1;
  }
  return sum / present;
};

/** Type of a local day. Day 0, 1970-01-01, was a Thursday. */
export const dayTypeOf = (day: number, holidays: ReadonlySet<number>): DayType =>
  holidays.has(day) ? "holiday" : ordinaryTypeOf(day);

/** Type of the day if it is not a holiday. */
export const ordinaryTypeOf = (day: number): DayType => {
  const weekday = (((day + 4) % 7) + 7) % 7;
  if (weekday === 0) return "sunday";
  return weekday === 6 ? "saturday" : "weekday";
};
