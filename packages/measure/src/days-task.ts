import { type AnchorsMs, anchorsOf } from "./adjust.js";
import type { BaselineRequest, OtherDispatch } from "./baseline-result.js";
import { type DayLoad, dayLoad, dayTypeOf } from "./day.js";
import { meansOf } from "./load-profile.js";
import type { LoadSeries, Period } from "./load-series.js";
import { intervalsOfDay, intervalsTouching } from "./local-interval.js";
import { dayOfDate, localTime } from "./local-time.js";
import { type DaysMethod, type DayType, INTERVAL_SECONDS } from "./method.js";
import type { Calendar, EventSlots } from "./pool.js";

/** A request prepared for the engine: local days as numbers. */
export interface DaysTask {
  readonly load: LoadSeries;
  /** The load of a local day, averaged once: later days of a dispatch look back on the same ones. */
  readonly loadOn: (day: number) => DayLoad;
  readonly calendar: Calendar;
  /** The local days of the dispatch, in order (M9). */
  readonly days: readonly EventDay[];
  readonly event: Period;
  readonly anchors: AnchorsMs;
  /** Other dispatches of the site with their recovery. */
  readonly busy: readonly OtherDispatch[];
  readonly curve: Period;
  readonly openEnded: boolean;
  readonly rulesVersion: 1 | 2;
}

/** A local day that has a baseline. */
export interface EventDay extends Omit<EventSlots, "usedSlots" | "mostMissing"> {
  readonly type: DayType;
}

/** A site recovers for an hour after a dispatch. */
export const RECOVERY_MS = 3_600_000;

export const daysTask = (method: DaysMethod, request: BaselineRequest): DaysTask => {
  const intervalSeconds = method.interval_seconds;
  if (request.load.intervalSeconds > intervalSeconds) {
    throw new RangeError(
      `load of ${request.load.intervalSeconds} s is too coarse for intervals of ${intervalSeconds} s; give finer load`,
    );
  }
  const time = localTime(request.timezone);
  const calendar = {
    time,
    intervalSeconds,
    holidays: new Set(request.holidays.map(dayOfDate)),
    eventDays: new Set(request.eventDays.map(dayOfDate)),
    excludedDays: excludedDaysOf(request),
  };
  const event = eventPeriod(request, calendar);
  const busy = (request.otherEvents ?? []).map((each) => ({ ...each, endMs: each.endMs + RECOVERY_MS }));
  return {
    load: request.load,
    loadOn: loadsOf(request, calendar),
    calendar,
    days: eventDays(event, calendar),
    event,
    anchors: anchorsOf(request.dispatch),
    busy,
    curve: request.curve,
    openEnded: request.dispatch.endMs === null,
    rulesVersion: request.rulesVersion ?? 2,
  };
};

/** Days that were excluded by hand, with the reason. */
export const excludedDaysOf = ({ excludedDays = [] }: Pick<BaselineRequest, "excludedDays">): Map<number, string> =>
  new Map(excludedDays.map(({ date, reason }) => [dayOfDate(date), reason]));

const loadsOf = (
  { load, profiles }: Pick<BaselineRequest, "load" | "profiles">,
  { intervalSeconds, time }: Calendar,
): DaysTask["loadOn"] => {
  const known = new Map<number, DayLoad>();
  const read = (day: number): DayLoad => {
    const intervals = intervalsOfDay(day, intervalSeconds, time);
    return dayLoad(profiles?.get(day)?.kw ?? meansOf(load, intervals), { day, intervals, intervalSeconds });
  };
  return (day) => {
    const found = known.get(day) ?? read(day);
    known.set(day, found);
    return found;
  };
};

/** An open end counts as the end of a local day: the chosen days must not change from minute to minute. */
const eventPeriod = ({ dispatch, curve }: BaselineRequest, { time }: Calendar): Period => {
  const { startMs, endMs } = dispatch;
  // Midnight belongs to the day that begins.
  const lastDay = time.dayOf(Math.max(startMs, curve.endMs - 1) / 1000);
  return { startMs, endMs: endMs ?? time.startOf(lastDay + 1) * 1000 };
};

/** Midnight belongs to the day that begins. */
const eventDays = (event: Period, { time, intervalSeconds, holidays }: Calendar): EventDay[] => {
  const slots = new Map<number, Set<number>>([[time.dayOf(event.startMs / 1000), new Set()]]);
  for (const { day, slot } of intervalsTouching(event, intervalSeconds, time)) {
    const ofDay = slots.get(day) ?? new Set();
    slots.set(day, ofDay.add(slot));
  }
  const [firstDay = 0] = slots.keys();
  return [...slots].map(([day, ofDay]) => ({ day, beforeDay: firstDay, slots: ofDay, type: dayTypeOf(day, holidays) }));
};

/** The longest interval into which the intervals of a period can be cut whose ends are on the UTC grid. */
export const gridSecondsOf = (period: Period, { time, intervalSeconds }: Calendar): number => {
  const intervals = intervalsTouching(period, intervalSeconds, time);
  const fits = (seconds: number): boolean =>
    intervalSeconds % seconds === 0 &&
    intervals.every(({ startSeconds, endSeconds }) => startSeconds % seconds === 0 && endSeconds % seconds === 0);
  return INTERVAL_SECONDS.findLast(fits) ?? INTERVAL_SECONDS[0];
};
