import { type AppliedAdjustment, adjusted, adjustmentFor, windowCells, windowPeriod } from "./adjust.js";
import { averageAt } from "./average.js";
import type { Baseline, BaselineRequest, DaysExplanation } from "./baseline-result.js";
import { slotOf } from "./day.js";
import { type DaysTask, daysTask } from "./days-task.js";
import { ruleFor } from "./inputs.js";
import { type CellRange, cellsTouching, countOf, type LoadSeries, newestEndMs } from "./load-series.js";
import { dateOf } from "./local-time.js";
import type { DayRule, DaysMethod } from "./method.js";
import { type DaysAt, pickDays } from "./pick.js";
import { type GatheredPool, gatherPool } from "./pool.js";

type DaysBaseline = Baseline & { readonly explanation: DaysExplanation };

/** Pool, pick, average, adjust. */
export const daysBaseline = (method: DaysMethod, request: BaselineRequest): DaysBaseline => {
  const task = daysTask(method, request);
  const rule = ruleFor(method, task.dayType);
  const none = (reason: string, explanation: DaysExplanation): DaysBaseline => ({
    state: "none",
    reason,
    provisional: isProvisional(method, rule, task),
    explanation,
  });
  if (rule === undefined) {
    const reason = `the method has no rule for a ${task.dayType}; add one whose day_types name it`;
    return none(reason, explain(method, task, { days: [], dropped: [] }));
  }
  const pool = gatherPool(rule.pool, task.load, task.event, task.calendar);
  const tooFew = tooFewDays(rule, pool);
  if (tooFew !== null) return none(tooFew, explain(method, task, pool));

  const daysAt = pickDays(pool.days, rule.pick, matchWindow(rule, task));
  const profile = profileOf(method, task, daysAt);
  const adjustment =
    method.adjust.kind === "none" ? null : adjustmentFor(method.adjust, task.load, task.anchors, profile);
  const explanation = { ...explain(method, task, pool), ...explainChoice(rule, task, daysAt), adjustment };
  if (!hasValue(profile, task.eventCells))
    return none("no chosen day has readings in the dispatch's period", explanation);
  const drawn = drawCurves(method, cellsTouching(request.curve, task.load.intervalSeconds), { profile, adjustment });
  return { state: "found", ...drawn, provisional: isProvisional(method, rule, task), explanation };
};

/** Unadjusted baseline in kW for a cell of the method's grid. */
type Profile = (cell: number) => number;

const profileOf = (method: DaysMethod, { load, calendar }: DaysTask, daysAt: DaysAt): Profile => {
  const averages = new Map<number, number>();
  return (cell) => {
    const slot = slotOf(cell, load.intervalSeconds, calendar.time);
    const kw = averages.get(slot) ?? averageAt(daysAt(slot), slot, method.average);
    averages.set(slot, kw);
    return kw;
  };
};

const hasValue = (profile: Profile, { first, last }: CellRange): boolean => {
  for (let cell = first; cell <= last; cell++) if (!Number.isNaN(profile(cell))) return true;
  return false;
};

interface Parts {
  readonly profile: Profile;
  readonly adjustment: AppliedAdjustment | null;
}

const drawCurves = (method: DaysMethod, range: CellRange, { profile, adjustment }: Parts) => {
  const seriesOf = (kwAt: Profile): LoadSeries => ({
    intervalSeconds: method.interval_seconds,
    firstCell: range.first,
    values: Float64Array.from({ length: countOf(range) }, (_, index) => kwAt(range.first + index)),
  });
  const floorKw = method.allow_negative ? Number.NEGATIVE_INFINITY : 0;
  const adjustedAt: Profile = (cell) => {
    const kw = profile(cell);
    return Math.max(floorKw, adjustment === null ? kw : adjusted(kw, adjustment));
  };
  return { unadjusted: seriesOf(profile), curve: seriesOf(adjustedAt) };
};

const matchWindow = ({ pick }: DayRule, { load, anchors, calendar }: DaysTask) => ({
  load,
  time: calendar.time,
  window: pick.kind === "match" ? windowCells(pick.window, anchors, load.intervalSeconds) : { first: 1, last: 0 },
});

const tooFewDays = ({ pool }: DayRule, { days }: GatheredPool): string | null =>
  days.length >= pool.min_days
    ? null
    : `${days.length} usable days in the preceding ${pool.lookback_days} days; the method needs ${pool.min_days}`;

/** A baseline may change while its load is still arriving, or while the dispatch's end is unknown. */
const isProvisional = (
  method: DaysMethod,
  rule: DayRule | undefined,
  { load, anchors, calendar, event, openEnded }: DaysTask,
): boolean => {
  const needs = [calendar.time.startOf(event.day) * 1000];
  if (method.adjust.kind !== "none") needs.push(windowPeriod(method.adjust.window, anchors).endMs);
  if (rule?.pick.kind === "match") needs.push(windowPeriod(rule.pick.window, anchors).endMs);
  // An interval only partly before the needed instant is not used, so it need not have arrived.
  const intervalMs = load.intervalSeconds * 1000;
  const neededMs = Math.floor(Math.max(...needs) / intervalMs) * intervalMs;
  return openEnded || (newestEndMs(load) ?? Number.NEGATIVE_INFINITY) < neededMs;
};

const explain = (method: DaysMethod, task: DaysTask, { days, dropped }: GatheredPool): DaysExplanation => ({
  kind: "days",
  timezone: task.calendar.time.timezone,
  intervalSeconds: method.interval_seconds,
  eventDate: dateOf(task.event.day),
  eventDayType: task.dayType,
  pool: days.map(({ day, eventMeanKw, energyKwh, missing }) => ({
    date: dateOf(day),
    eventMeanKw,
    energyKwh,
    missingIntervals: missing,
  })),
  dropped,
  chosen: [],
  chosenByInterval: null,
  adjustment: null,
});

const explainChoice = ({ pick }: DayRule, { event, load }: DaysTask, daysAt: DaysAt) => {
  const datesAt = (slot: number) => daysAt(slot).map(({ day }) => dateOf(day));
  const slots = [...event.slots];
  if (!("rank_by" in pick) || pick.rank_by !== "per_interval") return { chosen: datesAt(slots[0] ?? 0) };
  const clock = (slot: number) => new Date(slot * load.intervalSeconds * 1000).toISOString().slice(11, 19);
  return { chosen: null, chosenByInterval: Object.fromEntries(slots.map((slot) => [clock(slot), datesAt(slot)])) };
};
