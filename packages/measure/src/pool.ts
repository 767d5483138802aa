import { type DayLoad, dayTypeOf, gapsIn, meanOfSlots, ordinaryTypeOf } from "./day.js";
import { dateOf, type LocalTime } from "./local-time.js";
import type { Pool } from "./method.js";

/** Which earlier days qualify. Days are numbers of local days. */
export interface Calendar {
  readonly time: LocalTime;
  /** Into which local days are cut. */
  readonly intervalSeconds: number;
  readonly holidays: ReadonlySet<number>;
  readonly eventDays: ReadonlySet<number>;
  /** Days that an operator excluded, with the reason (M15). */
  readonly excludedDays: ReadonlyMap<number, string>;
}

/** What the pool needs of a local day that has a baseline. */
export interface EventSlots {
  readonly day: number;
  /** Only days before it are in the pool: the day itself or, where that is earlier, the first day of the dispatch. */
  readonly beforeDay: number;
  /** Days are ranked by their mean in these: those of the dispatch or, on a day without it, those that have a baseline. */
  readonly slots: ReadonlySet<number>;
  /** A day of the pool is complete if it has readings in these; null: in the whole day. */
  readonly usedSlots: ReadonlySet<number> | null;
  /** Share of the whole day's intervals that it may lack besides. */
  readonly mostMissing: number;
}

export type DropReason = "event_day" | "excluded" | "holiday" | "other_day_type" | "incomplete" | "low_usage";

/** An excluded day and the reason: a code and a sentence. */
export interface DroppedDay {
  readonly date: string;
  readonly reason: DropReason;
  readonly why: string;
  /** For `event_day`: ids of the dispatches, where they are known. */
  readonly dispatches?: readonly string[];
}

export interface PoolDay extends DayLoad {
  readonly eventMeanKw: number;
}

/** Days of the pool, latest first. */
export interface GatheredPool {
  readonly days: readonly PoolDay[];
  readonly dropped: readonly DroppedDay[];
  /** Days with another dispatch that fill a short pool. */
  readonly filledWith: readonly number[];
}

/** Goes back from the day before the dispatch, or before an earlier day, until the pool is full or the look-back ends. */
export const gatherPool = (
  pool: Pool,
  loadOn: (day: number) => DayLoad,
  event: EventSlots,
  calendar: Calendar,
): GatheredPool => {
  const dropped: DroppedDay[] = [];
  const eventDays: PoolDay[] = [];
  let days: PoolDay[] = [];
  const replaceLowUsage = () => {
    const lowestKw = lowUsageLimitKw(pool, days);
    for (const each of days.filter((one) => one.eventMeanKw < lowestKw)) dropped.push(lowUsage(each, lowestKw));
    const kept = days.filter((one) => !(one.eventMeanKw < lowestKw));
    const changed = kept.length < days.length;
    days = kept;
    return changed;
  };
  for (let day = event.beforeDay - 1; day >= event.day - pool.lookback_days && days.length < pool.days; day--) {
    const drop = dropByCalendar(pool, day, calendar);
    if (drop !== null) dropped.push(drop);
    const mayFill = drop?.reason === "event_day" && pool.fill === "highest_event_days";
    if (drop !== null && !mayFill) continue;
    const load = loadOn(day);
    const candidate = { ...load, eventMeanKw: meanOfSlots(load.slotsKw, event.slots) };
    const unusable = dropByLoad(pool, candidate, event);
    if (unusable === null) (drop === null ? days : eventDays).push(candidate);
    else if (drop === null) dropped.push(unusable);
    if (days.length === pool.days) replaceLowUsage();
  }
  while (replaceLowUsage());
  const filling = pool.fill === "highest_event_days" ? highest(eventDays, pool.min_days - days.length) : [];
  return {
    days: [...days, ...filling].sort((a, b) => b.day - a.day),
    dropped: dropped.filter(({ date }) => !filling.some(({ day }) => dateOf(day) === date)),
    filledWith: filling.map(({ day }) => day),
  };
};

/** Those of the highest load in the event period; ties go to the more recent day. */
const highest = (days: readonly PoolDay[], count: number): PoolDay[] =>
  days.toSorted((a, b) => b.eventMeanKw - a.eventMeanKw || b.day - a.day).slice(0, Math.max(0, count));

/** Why a day cannot be in the pool, whatever its load; null if it can. */
export const dropByCalendar = (
  pool: Pool,
  day: number,
  { holidays, eventDays, excludedDays }: Pick<Calendar, "holidays" | "eventDays" | "excludedDays">,
): DroppedDay | null => {
  const date = dateOf(day);
  const type = dayTypeOf(day, holidays);
  if (!pool.day_types.includes(type)) {
    const isHoliday = type === "holiday" && pool.day_types.includes(ordinaryTypeOf(day));
    if (isHoliday) return { date, reason: "holiday", why: "a holiday" };
    return { date, reason: "other_day_type", why: `a ${type}; the pool takes ${pool.day_types.join(", ")}` };
  }
  const excluded = excludedDays.get(day);
  if (excluded !== undefined) return { date, reason: "excluded", why: `excluded by hand: ${excluded}` };
  if (!pool.exclude.event || !eventDays.has(day)) return null;
  return { date, reason: "event_day", why: "another dispatch took place on this day" };
};

const dropByLoad = (
  { exclude }: Pool,
  { eventMeanKw, ...load }: PoolDay,
  { usedSlots, mostMissing }: Pick<EventSlots, "usedSlots" | "mostMissing">,
): DroppedDay | null => {
  const { day } = load;
  const isWhole = usedSlots === null || load.missing > mostMissing * load.expected;
  const { missing, expected } = isWhole ? load : gapsIn(load, usedSlots);
  const which = isWhole ? "intervals" : "intervals of the hours that are used";
  const why = `${missing} of ${expected} ${which} have no readings`;
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
