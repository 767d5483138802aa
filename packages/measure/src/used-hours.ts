import { adjustmentWindow } from "./adjust.js";
import type { Baseline, BaselineRequest } from "./baseline-result.js";
import { type DaysTask, daysTask, type EventDay } from "./days-task.js";
import { explainedDays } from "./explained-days.js";
import { hasGapDays } from "./gap-days.js";
import { CELL_SECONDS } from "./grid.js";
import { inputsAround, ruleFor } from "./inputs.js";
import { flatSeries, type Period } from "./load-series.js";
import { intervalsOfDay } from "./local-interval.js";
import { joined, lookbackStages } from "./lookback.js";
import type { BaselineMethod, DaysMethod } from "./method.js";
import { otherDays } from "./other-days.js";
import { isRankedByEnergy, slotsByDay } from "./used-slots.js";

/** A request whose load is still to be read. */
export type LookbackRequest = Omit<BaselineRequest, "load" | "profiles" | "recent">;

/**
 * The stages of `lookbackStages` with only those hours of their days that the baseline is computed from; null if it needs
 * whole days. With them it is the same but for what its explanation says of whole days: `energyKwh` and `missingIntervals` of
 * the pool. If it `mayHaveGapDays`, it may differ in more.
 */
export const usedStages = (method: BaselineMethod, request: LookbackRequest): Period[][] | null => {
  if (method.kind !== "days" || request.rulesVersion === 1 || method.rules.some(isRankedByEnergy)) return null;
  const task = daysTask(method, { ...request, load: NO_LOAD });
  const window = adjustmentWindow(method.adjust, task);
  const days = [...task.days, ...otherDays(task, window)];
  const slots = slotsOf(method, task, { days, window });
  const [first = [], ...later] = lookbackStages(method, { ...request, ...request.dispatch });
  const around = periodsAround(method, task, { request, days, window, toMs: first.at(-1)?.endMs ?? 0 });
  return [
    joined([...first.flatMap((period) => hoursIn(period, slots, task)), ...around]),
    ...later.map((stage) => joined(stage.flatMap((period) => hoursIn(period, slots, task)))),
  ];
};

/**
 * Whether a baseline from used hours may have to say what the site gains by gaps, which needs whole days. `from`: the local
 * date of the first reading or where that is later, if it is known, of the first hour that was read: a day before it has no gaps.
 */
export const mayHaveGapDays = ({ explanation }: Baseline, from = ""): boolean => {
  const days = explanation.kind === "meter_before" ? explanation.insteadOf : explanation;
  return days?.kind === "days" && hasGapDays(explainedDays(days), from);
};

export const NO_LOAD = flatSeries(Number.NaN, { first: 1, last: 0 }, CELL_SECONDS);

interface Needed {
  readonly days: readonly EventDay[];
  readonly window: Period | null;
}

/** The slots in which any local day has a baseline. */
const slotsOf = (method: DaysMethod, task: DaysTask, { days, window }: Needed): ReadonlySet<number> => {
  const byDay = slotsByDay(method, task, { days, window });
  return new Set(days.flatMap(({ day, slots }) => [...slots, ...(byDay.get(day) ?? [])]));
};

/** The intervals of those slots in a period. */
const hoursIn = ({ startMs, endMs }: Period, slots: ReadonlySet<number>, { calendar }: DaysTask): Period[] => {
  const { time, intervalSeconds } = calendar;
  const hours: Period[] = [];
  const last = time.dayOf((endMs - 1) / 1000);
  for (let day = time.dayOf(startMs / 1000); day <= last; day++) {
    for (const { slot, startSeconds, endSeconds } of intervalsOfDay(day, intervalSeconds, time))
      if (slots.has(slot)) hours.push({ startMs: startSeconds * 1000, endMs: endSeconds * 1000 });
  }
  // Readings after the period must not count as proof that all of it has arrived.
  return hours
    .filter((hour) => hour.startMs < endMs && hour.endMs > startMs)
    .map((hour) => ({ startMs: Math.max(hour.startMs, startMs), endMs: Math.min(hour.endMs, endMs) }));
};

interface Around extends Needed {
  readonly request: LookbackRequest;
  /** End of what is read. */
  readonly toMs: number;
}

/** The windows, and the end of what is read: what may show that more of it is still to come. */
export const periodsAround = (
  method: DaysMethod,
  { calendar: { time, intervalSeconds } }: DaysTask,
  { request, days, window, toMs }: Around,
): Period[] => {
  const unmoved: DaysMethod = { ...method, adjust: { kind: "none" } };
  const terms = { ...request, ...request.dispatch };
  const inputs = days.flatMap(({ type }) => inputsAround(unmoved, ruleFor(method, type), terms));
  const windows = inputs.map((each) => ({ startMs: each.fromMs, endMs: each.toMs }));
  const firstDayMs = time.startOf(days[0]?.day ?? 0) * 1000;
  const awaitedMs = Math.max(firstDayMs, window?.endMs ?? firstDayMs);
  const fromMs = Math.min(awaitedMs - 2 * intervalSeconds * 1000, ...inputs.map((each) => each.toMs));
  return [...(window === null ? [] : [window]), ...windows, { startMs: fromMs, endMs: toMs }];
};
