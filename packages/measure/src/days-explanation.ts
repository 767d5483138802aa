import type { AppliedAdjustment } from "./adjust.js";
import type { DayExplanation, DaysExplanation } from "./baseline-result.js";
import type { DayBaseline } from "./day-baseline.js";
import type { DaysTask } from "./days-task.js";
import { ruleFor } from "./inputs.js";
import { intervalsInside } from "./local-interval.js";
import { dateOf } from "./local-time.js";
import type { DaysMethod } from "./method.js";
import type { Distance } from "./pick.js";

interface Explained {
  readonly days: readonly DayBaseline[];
  readonly adjustment: AppliedAdjustment | null;
}

/** What is needed to compute the baseline again: of the first day, and of each later one. */
export const explainDays = (method: DaysMethod, task: DaysTask, { days, adjustment }: Explained): DaysExplanation => {
  const [first, ...later] = days.map((day) => explainDay(method, day, windowSlots(task, adjustment)));
  if (first === undefined) throw new Error("a dispatch has a first day");
  const { reason: _, ...ofFirst } = first;
  return {
    kind: "days",
    timezone: task.calendar.time.timezone,
    intervalSeconds: method.interval_seconds,
    ...ofFirst,
    adjustment,
    ...(later.length === 0 ? {} : { laterDays: later }),
  };
};

const explainDay = (method: DaysMethod, day: DayBaseline, ofWindow: readonly number[]): DayExplanation => {
  const { event, pool, reason } = day;
  return {
    eventDate: dateOf(event.day),
    eventDayType: event.type,
    pool: pool.days.map((each) => ({
      date: dateOf(each.day),
      eventMeanKw: each.eventMeanKw,
      energyKwh: each.energyKwh,
      missingIntervals: each.missing,
    })),
    dropped: pool.dropped,
    ...(pool.filledWith.length === 0 ? {} : { filledWith: pool.filledWith.map(dateOf) }),
    ...(reason === null ? explainChoice(method, day, ofWindow) : { chosen: [], chosenByInterval: null }),
    reason,
  };
};

const explainChoice = (method: DaysMethod, { event, picking }: DayBaseline, ofWindow: readonly number[]) => {
  const { at, distances } = picking;
  const datesAt = (slot: number) => at(slot).map(({ day }) => dateOf(day));
  if (distances !== null) return { chosen: datesAt(0), chosenByInterval: null, distances: explainDistances(distances) };
  const pick = ruleFor(method, event.type)?.pick;
  if (pick === undefined || !("rank_by" in pick) || pick.rank_by !== "per_interval")
    return { chosen: datesAt(0), chosenByInterval: null };
  // The window's hours have days of their own, too.
  const slots = new Set([...(event.day === event.firstDay ? ofWindow : []), ...event.slots]);
  const clock = (slot: number) => new Date(slot * method.interval_seconds * 1000).toISOString().slice(11, 19);
  return { chosen: null, chosenByInterval: Object.fromEntries([...slots].map((slot) => [clock(slot), datesAt(slot)])) };
};

const isKnown = ({ kw2 }: Distance): boolean => !Number.isNaN(kw2);

/** Nearest first; null, and last: the day cannot be compared. */
const explainDistances = (distances: readonly Distance[]) => {
  const nearest = distances.filter(isKnown).toSorted((a, b) => a.kw2 - b.kw2);
  const unknown = distances.filter((each) => !isKnown(each));
  return [...nearest, ...unknown].map((each) => ({ date: dateOf(each.day), kw2: isKnown(each) ? each.kw2 : null }));
};

/** Slots of the local day that the adjustment's window covers. */
const windowSlots = ({ calendar }: DaysTask, adjustment: AppliedAdjustment | null): number[] => {
  if (adjustment === null) return [];
  const window = { startMs: adjustment.windowStartMs, endMs: adjustment.windowEndMs };
  return intervalsInside(window, calendar.intervalSeconds, calendar.time).map(({ slot }) => slot);
};
