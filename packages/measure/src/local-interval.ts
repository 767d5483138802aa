import type { LoadSeries, Period } from "./load-series.js";
import type { LocalTime } from "./local-time.js";

/** An interval of a local day, cut by the local clock (M8): from `startSeconds`, inclusive, to `endSeconds`, exclusive. */
export interface LocalInterval {
  readonly day: number;
  /** Its place in a day of the usual length: 09:00 has the same slot on every day. */
  readonly slot: number;
  readonly startSeconds: number;
  readonly endSeconds: number;
}

/** Of each zone. */
const MOST_KNOWN_DAYS = 2000;
const SECONDS_PER_DAY = 86_400;
const known = new WeakMap<LocalTime, Map<number, readonly LocalInterval[]>>();

/** All intervals of a local day; one in which the clock is put forward or back ends there. */
export const intervalsOfDay = (day: number, seconds: number, time: LocalTime): readonly LocalInterval[] => {
  // All sites of a dispatch ask for the same days.
  const ofZone = known.get(time) ?? new Map<number, readonly LocalInterval[]>();
  known.set(time, ofZone);
  const key = day * SECONDS_PER_DAY + seconds;
  const found = ofZone.get(key);
  if (found !== undefined) return found;
  if (ofZone.size >= MOST_KNOWN_DAYS) ofZone.clear();
  const intervals = cut(day, seconds, time);
  ofZone.set(key, intervals);
  return intervals;
};

/** The intervals that overlap a period. */
export const intervalsTouching = (period: Period, seconds: number, time: LocalTime): LocalInterval[] =>
  intervalsNear(period, seconds, time).filter(
    ({ startSeconds, endSeconds }) => startSeconds * 1000 < period.endMs && endSeconds * 1000 > period.startMs,
  );

/** The intervals entirely inside a period. */
export const intervalsInside = (period: Period, seconds: number, time: LocalTime): LocalInterval[] =>
  intervalsNear(period, seconds, time).filter(
    ({ startSeconds, endSeconds }) => startSeconds * 1000 >= period.startMs && endSeconds * 1000 <= period.endMs,
  );

/** The interval that contains an instant. */
export const intervalAt = (atSeconds: number, seconds: number, time: LocalTime): LocalInterval => {
  const intervals = intervalsOfDay(time.dayOf(atSeconds), seconds, time);
  const found = intervals.findLast(({ startSeconds }) => startSeconds <= atSeconds);
  if (found === undefined) throw new Error("a local day begins with its first interval");
  return found;
};

/** Mean load in kW; NaN if fewer than half of the interval's cells are filled. */
export const meanIn = (load: LoadSeries, { startSeconds, endSeconds }: LocalInterval): number => {
  const first = Math.ceil(startSeconds / load.intervalSeconds) + 1 - load.firstCell;
  const end = Math.ceil(endSeconds / load.intervalSeconds) + 1 - load.firstCell;
  let sum = 0;
  let filled = 0;
  for (let index = Math.max(0, first); index < Math.min(end, load.values.length); index++) {
    const kw = load.values[index] ?? Number.NaN;
    if (Number.isNaN(kw)) continue;
    sum += kw;
    filled += 1;
  }
  return filled > 0 && filled * 2 >= end - first ? sum / filled : Number.NaN;
};

function intervalsNear({ startMs, endMs }: Period, seconds: number, time: LocalTime): LocalInterval[] {
  const last = time.dayOf(endMs / 1000);
  const intervals: LocalInterval[] = [];
  for (let day = time.dayOf(startMs / 1000); day <= last; day++) intervals.push(...intervalsOfDay(day, seconds, time));
  return intervals;
}

/**
 * An interval ends where the clock is put forward or back. Intervals of an hour, the clock goes from 02:00 back to 01:30:
 *
 *     clock  01:00           02:00
 *                            01:30   02:00           03:00
 *            |--- slot 1 ----|-slot 1|--- slot 2 ----|
 */
const cut = (day: number, seconds: number, time: LocalTime): LocalInterval[] => {
  const dayEnd = time.startOf(day + 1);
  const intervals: LocalInterval[] = [];
  for (let start = time.startOf(day); start < dayEnd; ) {
    const clock = time.secondOfDay(start);
    const wholeEnd = Math.min(start + seconds - (clock % seconds), dayEnd);
    const end = clockRunsUntil(start, wholeEnd, time);
    intervals.push({ day, slot: Math.floor(clock / seconds), startSeconds: start, endSeconds: end });
    start = end;
  }
  return intervals;
};

/** When the clock is put forward or back in (start, end), or the end. */
const clockRunsUntil = (start: number, end: number, time: LocalTime): number => {
  const clock = time.secondOfDay(start);
  const runs = (at: number) => time.secondOfDay(at) - clock === at - start;
  if (runs(end - 1)) return end;
  let [before, after] = [start, end - 1];
  while (after - before > 1) {
    const middle = Math.floor((before + after) / 2);
    if (runs(middle)) before = middle;
    else after = middle;
  }
  return after;
};
