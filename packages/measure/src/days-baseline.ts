import { type AppliedAdjustment, adjusted, adjustmentFor, adjustmentWindow, windowPeriod } from "./adjust.js";
import type { Baseline, BaselineRequest, DaysExplanation } from "./baseline-result.js";
import { type DayBaseline, dayBaseline } from "./day-baseline.js";
import { explainDays } from "./days-explanation.js";
import { type DaysTask, daysTask, type EventDay, gridSecondsOf } from "./days-task.js";
import { ruleFor } from "./inputs.js";
import { cellsTouching, countOf, type LoadSeries, type Period } from "./load-series.js";
import { intervalAt, intervalsTouching, type LocalInterval, meanIn } from "./local-interval.js";
import type { DaysMethod } from "./method.js";
import { otherDays } from "./other-days.js";
import { usedSlotsBy } from "./used-slots.js";

export type DaysBaseline = Baseline & { readonly explanation: DaysExplanation };

/** For each local day that the baseline is needed on: pool, pick, average; then adjust. */
export const daysBaseline = (method: DaysMethod, request: BaselineRequest): DaysBaseline => {
  const task = daysTask(method, request);
  const window = adjustmentWindow(method.adjust, task);
  const around = otherDays(task, window);
  const usedSlots = usedSlotsBy(method, task, { days: [...task.days, ...around], window });
  const baselineOn = (day: EventDay) => dayBaseline(method, task, day, usedSlots(day));
  const days = task.days.map(baselineOn);
  const reason = days[0]?.reason ?? null;
  // Without a baseline of the first day, none is needed on others.
  const others = reason === null ? around.map(baselineOn) : [];
  const baselineAt = baselineIn([...days, ...others]);
  const adjustment =
    reason !== null || method.adjust.kind === "none" || window === null
      ? null
      : adjustmentFor(method.adjust, { ...task, window }, baselineAt);
  const explanation = explainDays(method, task, { days, others, adjustment });
  const provisional = isProvisional(method, task, { days: [...days, ...others], adjustment });
  const none = (why: string): DaysBaseline => ({ state: "none", reason: why, provisional, explanation });
  if (reason !== null) return none(reason);
  if (!hasValue(baselineAt, task)) return none("no chosen day has readings in the dispatch's period");
  return {
    state: "found",
    ...drawCurves(method, task, request.curve, { baselineAt, adjustment }),
    provisional,
    explanation,
  };
};

/** Unadjusted baseline in kW in an interval. */
type BaselineAt = (interval: LocalInterval) => number;

const baselineIn = (days: readonly DayBaseline[]): BaselineAt => {
  const byDay = new Map(days.map((each) => [each.event.day, each]));
  return ({ day, slot }) => byDay.get(day)?.profile(slot) ?? Number.NaN;
};

const hasValue = (baselineAt: BaselineAt, { event, calendar }: DaysTask): boolean =>
  intervalsTouching(event, calendar.intervalSeconds, calendar.time).some(
    (interval) => !Number.isNaN(baselineAt(interval)),
  );

interface Drawn {
  readonly baselineAt: BaselineAt;
  readonly adjustment: AppliedAdjustment | null;
}

const drawCurves = (method: DaysMethod, { calendar }: DaysTask, curve: Period, { baselineAt, adjustment }: Drawn) => {
  const intervalSeconds = gridSecondsOf(curve, calendar);
  const range = cellsTouching(curve, intervalSeconds);
  const unadjusted = Float64Array.from({ length: countOf(range) }, (_, index) => {
    const start = (range.first + index - 1) * intervalSeconds;
    return baselineAt(intervalAt(start, calendar.intervalSeconds, calendar.time));
  });
  const floorKw = method.allow_negative ? Number.NEGATIVE_INFINITY : 0;
  const values = unadjusted.map((kw) => Math.max(floorKw, adjustment === null ? kw : adjusted(kw, adjustment)));
  const seriesOf = (each: Float64Array): LoadSeries => ({ intervalSeconds, firstCell: range.first, values: each });
  return { unadjusted: seriesOf(unadjusted), curve: seriesOf(values) };
};

/** A baseline may change while its load is still arriving, or while the dispatch's end is unknown. */
const isProvisional = (
  method: DaysMethod,
  task: DaysTask,
  { days, adjustment }: { readonly days: readonly DayBaseline[]; readonly adjustment: AppliedAdjustment | null },
): boolean => {
  const { anchors, calendar, openEnded } = task;
  const needs = [calendar.time.startOf(task.days[0]?.day ?? 0) * 1000];
  if (method.adjust.kind !== "none")
    needs.push(adjustment?.windowEndMs ?? windowPeriod(method.adjust.window, anchors).endMs);
  for (const { event } of days) {
    const pick = ruleFor(method, event.type)?.pick;
    if (pick?.kind === "match") needs.push(windowPeriod(pick.window, anchors).endMs);
  }
  return openEnded || !hasArrived(task, Math.max(...needs));
};

/** Whether the last interval that ended by then has load, or a later one. */
const hasArrived = ({ load, calendar: { time, intervalSeconds } }: DaysTask, neededMs: number): boolean => {
  // An interval only partly before the needed instant is not used, so it need not have arrived.
  const endMs = intervalAt(neededMs / 1000, intervalSeconds, time).startSeconds * 1000;
  const loadEndMs = (load.firstCell + load.values.length - 1) * load.intervalSeconds * 1000;
  const period = { startMs: endMs - 1000, endMs: Math.max(loadEndMs, endMs) };
  return intervalsTouching(period, intervalSeconds, time).some((interval) => !Number.isNaN(meanIn(load, interval)));
};
