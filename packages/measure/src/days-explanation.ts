import type { AppliedAdjustment } from "./adjust.js";
import type { DayExplanation, DaysExplanation } from "./baseline-result.js";
import type { DayBaseline } from "./day-baseline.js";
import { type DaysTask, RECOVERY_MS } from "./days-task.js";
import { ruleFor } from "./inputs.js";
import { dateOf } from "./local-time.js";
import type { DaysMethod } from "./method.js";
import type { Distance } from "./pick.js";
import type { DroppedDay } from "./pool.js";
import { nullIfNaN } from "./reduction.js";
import { slotsByDay } from "./used-slots.js";

interface Explained {
  /** The days of the dispatch. */
  readonly days: readonly DayBaseline[];
  /** Days before and after it. */
  readonly others: readonly DayBaseline[];
  readonly adjustment: AppliedAdjustment | null;
}

/** What is needed to compute the baseline again (M16): of the first day, of each later one, and of other days. */
export const explainDays = (method: DaysMethod, task: DaysTask, explained: Explained): DaysExplanation => {
  const eventsOn = dispatchesByDate(task);
  const { days, others, adjustment } = explained;
  const window = adjustment && { startMs: adjustment.windowStartMs, endMs: adjustment.windowEndMs };
  const slots = slotsByDay(method, task, { days: [...days, ...others].map(({ event }) => event), window });
  const explain = (day: DayBaseline): DayExplanation => {
    const explanation = explainDay(
      method,
      day,
      [...(slots.get(day.event.day) ?? [])].toSorted((a, b) => a - b),
    );
    return { ...explanation, dropped: explanation.dropped.map((each) => naming(each, eventsOn)) };
  };
  const [first, ...later] = days.map(explain);
  const explainedOthers = others.map(explain);
  if (first === undefined) throw new Error("a dispatch has a first day");
  const { reason: _, ...ofFirst } = first;
  return {
    kind: "days",
    timezone: task.calendar.time.timezone,
    intervalSeconds: method.interval_seconds,
    ...ofFirst,
    adjustment,
    ...(later.length === 0 ? {} : { laterDays: later }),
    ...(explainedOthers.length === 0 ? {} : { otherDays: explainedOthers }),
  };
};

const explainDay = (method: DaysMethod, day: DayBaseline, slots: readonly number[]): DayExplanation => {
  const { event, pool, reason } = day;
  return {
    eventDate: dateOf(event.day),
    eventDayType: event.type,
    intervals: slots.map((slot) => clock(method, slot)),
    pool: pool.days.map((each) => ({
      date: dateOf(each.day),
      eventMeanKw: each.eventMeanKw,
      energyKwh: each.energyKwh,
      missingIntervals: each.missing,
      kw: slots.map((slot) => nullIfNaN(each.slotsKw[slot] ?? Number.NaN)),
    })),
    dropped: pool.dropped,
    ...(pool.filledWith.length === 0 ? {} : { filledWith: pool.filledWith.map(dateOf) }),
    ...(reason === null ? explainChoice(method, day, slots) : { chosen: [], chosenByInterval: null }),
    reason,
  };
};

const clock = ({ interval_seconds: seconds }: DaysMethod, slot: number): string =>
  new Date(slot * seconds * 1000).toISOString().slice(11, 19);

const explainChoice = (method: DaysMethod, { event, picking }: DayBaseline, slots: readonly number[]) => {
  const { at, distances } = picking;
  const datesAt = (slot: number) => at(slot).map(({ day }) => dateOf(day));
  if (distances !== null) return { chosen: datesAt(0), chosenByInterval: null, distances: explainDistances(distances) };
  const pick = ruleFor(method, event.type)?.pick;
  if (pick === undefined || !("rank_by" in pick) || pick.rank_by !== "per_interval")
    return { chosen: datesAt(0), chosenByInterval: null };
  return {
    chosen: null,
    chosenByInterval: Object.fromEntries(slots.map((slot) => [clock(method, slot), datesAt(slot)])),
  };
};

const isKnown = ({ kw2 }: Distance): boolean => !Number.isNaN(kw2);

/** Nearest first; null, and last: the day cannot be compared. */
const explainDistances = (distances: readonly Distance[]) => {
  const nearest = distances.filter(isKnown).toSorted((a, b) => a.kw2 - b.kw2);
  const unknown = distances.filter((each) => !isKnown(each));
  return [...nearest, ...unknown].map((each) => ({ date: dateOf(each.day), kw2: isKnown(each) ? each.kw2 : null }));
};

/** Ids of the other dispatches by each local day on which they took place, without their recovery. */
const dispatchesByDate = ({ busy, calendar: { time } }: DaysTask): ReadonlyMap<string, readonly string[]> => {
  const dates = new Map<string, string[]>();
  for (const { id, startMs, endMs } of busy) {
    if (id === undefined) continue;
    const last = time.dayOf(Math.max(startMs, endMs - RECOVERY_MS - 1) / 1000);
    for (let day = time.dayOf(startMs / 1000); day <= last; day++)
      dates.set(dateOf(day), [...(dates.get(dateOf(day)) ?? []), id]);
  }
  return dates;
};

const naming = (dropped: DroppedDay, eventsOn: ReadonlyMap<string, readonly string[]>): DroppedDay => {
  const dispatches = dropped.reason === "event_day" ? eventsOn.get(dropped.date) : undefined;
  return dispatches === undefined ? dropped : { ...dropped, dispatches };
};
