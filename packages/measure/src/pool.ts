import { type DayLoad, dayLoad, dayTypeOf, meanOfSlots, ordinaryTypeOf } from "./day.js";
import type { LoadSeries } from "./load-series.js";
import { dateOf, type LocalTime } from "./local-time.js";
import type { Pool } from "./method.js";

/** Which earlier days qualify. Days are numbers of local days. */
export interface Calendar {
  readonly time: LocalTime;
  readonly holidays: ReadonlySet<number>;
  readonly eventDays: ReadonlySet<number>;
}

/** What the pool needs of the dispatch: its local day, and the slots of the day that it covers. */
export interface EventSlots {
  readonly day: number;
  readonly slots: ReadonlySet<number>;
}

export type DropReason = "event_day" | "holiday" | "other_day_type" | "incomplete" | "low_usage";

/** An excluded day and the reason: a code and a sentence. */
export interface DroppedDay {
  readonly date: string;
  readonly reason: DropReason;
  readonly why: string;
}

export interface PoolDay extends DayLoad {
  readonly eventMeanKw: number;
}

/** Days of the pool, latest first. */
export interface GatheredPool {
  readonly days: readonly PoolDay[];
  readonly dropped: readonly DroppedDay[];
}

/** Goes back from the day before the dispatch until the pool is full or the look-back ends. */
export const gatherPool = (pool: Pool, load: LoadSeries, event: EventSlots, calendar: Calendar): GatheredPool => {
  const dropped: DroppedDay[] = [];
  let days: PoolDay[] = [];
  const replaceLowUsage = () => {
    const lowestKw = lowUsageLimitKw(pool, days);
    for (const each of days.filter((one) => one.eventMeanKw < lowestKw)) dropped.push(lowUsage(each, lowestKw));
    const kept = days.filter((one) => !(one.eventMeanKw < lowestKw));
    const changed = kept.length < days.length;
    days = kept;
    return changed;
  };
  for (let day = event.day - 1; day >= event.day - pool.lookback_days && days.length < pool.days; day--) {
    const drop = dropByCalendar(pool, day, calendar);
    const candidate = { ...dayLoad(load, day, calendar.time), eventMeanKw: Number.NaN };
    candidate.eventMeanKw = meanOfSlots(candidate.slotsKw, event.slots);
    const reason = drop ?? dropByLoad(pool, candidate);
    if (reason === null) days.push(candidate);
    else dropped.push(reason);
    if (days.length === pool.days) replaceLowUsage();
  }
  while (replaceLowUsage());
  return { days, dropped };
};

const dropByCalendar = (pool: Pool, day: number, { holidays, eventDays }: Calendar): DroppedDay | null => {
  const date = dateOf(day);
  const type = dayTypeOf(day, holidays);
  if (!pool.day_types.includes(type)) {
    const isHoliday = type === "holiday" && pool.day_types.includes(ordinaryTypeOf(day));
    if (isHoliday) return { date, reason: "holiday", why: "a holiday" };
    return { date, reason: "other_day_type", why: `a ${type}; the pool takes ${pool.day_types.join(", ")}` };
  }
  if (!pool.exclude.event || !eventDays.has(day)) return null;
  return { date, reason: "event_day", why: "another dispatch took place on this day" };
};

const dropByLoad = ({ exclude }: Pool, { day, missing, expected, eventMeanKw }: PoolDay): DroppedDay | null => {
  const why = `${missing} of ${expected} intervals have no readings`;
  const isUnusable = Number.isNaN(eventMeanKw) || (exclude.incomplete && missing > 0);
  return isUnusable ? { date: dateOf(day), reason: "incomplete", why } : null;
};

/** NaN, which nothing is below, if the rule does not apply; a mean at or below zero does not indicate low usage. */
const lowUsageLimitKw = ({ exclude }: Pool, days: readonly PoolDay[]): number => {
  const meanKw = days.reduce((sum, { eventMeanKw }) => sum + eventMeanKw, 0) / days.length;
  return exclude.low_usage === null || meanKw <= 0 ? Number.NaN : exclude.low_usage * meanKw;
};

const lowUsage = ({ day, eventMeanKw }: PoolDay, lowestKw: number): DroppedDay => ({
  date: dateOf(day),
  reason: "low_usage",
  why: `${eventMeanKw.toFixed(3)} kW in the event period is below the limit of ${lowestKw.toFixed(3)} kW`,
});
