import { cellsInside, type LoadSeries, meanOver } from "./load-series.js";
import { intervalsOfDay, type LocalInterval, meanIn } from "./local-interval.js";
import { type LocalTime, localTime } from "./local-time.js";

/** The load of a local day by interval: all that a baseline needs to know of a day that it looks back on. */
export interface LoadProfile {
  /** Mean kW of each interval of the day, in order; NaN if fewer than half of its cells are filled. */
  readonly kw: Float64Array;
  /** Whether any cell of the day is filled. */
  readonly hasReading: boolean;
}

/** How a profile is cut. */
export interface ProfileCut {
  /** IANA name. */
  readonly timezone: string;
  readonly intervalSeconds: number;
}

/** The profile of a local day, from load that has all of it. */
export const loadProfile = (load: LoadSeries, day: number, { timezone, intervalSeconds }: ProfileCut): LoadProfile => {
  const time = localTime(timezone);
  return {
    kw: meansOf(load, intervalsOfDay(day, intervalSeconds, time)),
    hasReading: hasReadingOn(load, day, time),
  };
};

export const meansOf = (load: LoadSeries, intervals: readonly LocalInterval[]): Float64Array =>
  Float64Array.from(intervals, (interval) => meanIn(load, interval));

/** Whether any cell of a local day is filled. */
export const hasReadingOn = (load: LoadSeries, day: number, time: LocalTime): boolean => {
  const period = { startMs: time.startOf(day) * 1000, endMs: time.startOf(day + 1) * 1000 };
  return meanOver(load, cellsInside(period, load.intervalSeconds)).present > 0;
};

const known = new WeakMap<readonly LocalInterval[], number>();

/**
 * A 32-bit number by the ends of a local day's intervals (FNV-1a): it differs where another version of the runtime has other rules
 * for the time zone.
 */
export const cutOf = (day: number, { timezone, intervalSeconds }: ProfileCut): number => {
  // All sites of a dispatch ask for the same days.
  const intervals = intervalsOfDay(day, intervalSeconds, localTime(timezone));
  const found = known.get(intervals) ?? intervals.reduce((hash, { endSeconds }) => mixed(hash, endSeconds), FNV_BASIS);
  known.set(intervals, found);
  return found;
};

const FNV_BASIS = 0x811c9dc5 | 0;
const FNV_PRIME = 0x01000193;
const mixed = (hash: number, seconds: number): number => Math.imul(hash ^ seconds, FNV_PRIME);
