import { adjustmentWindow } from "./adjust.js";
import { daysTask } from "./days-task.js";
import type { Period } from "./load-series.js";
import type { LocalTime } from "./local-time.js";
import { joined, lookbackStages } from "./lookback.js";
import type { BaselineMethod } from "./method.js";
import { otherDays } from "./other-days.js";
import { type LookbackRequest, NO_LOAD, periodsAround } from "./used-hours.js";

/** A part of the look-back: local days, of which profiles may be known, and periods of which load is needed in any case. */
export interface DayStage {
  readonly days: readonly number[];
  readonly periods: readonly Period[];
}

/**
 * The stages of `lookbackStages` by local day; null if the method does not look back on days. With the profile of each day or
 * its load, the baseline is the same, and so is its explanation.
 */
export const dayStages = (method: BaselineMethod, request: LookbackRequest): DayStage[] | null => {
  if (method.kind !== "days") return null;
  const task = daysTask(method, { ...request, load: NO_LOAD });
  const { time } = task.calendar;
  const window = adjustmentWindow(method.adjust, task);
  const days = [...task.days, ...otherDays(task, window)];
  const firstDay = task.days[0]?.day ?? 0;
  const [first = [], ...later] = lookbackStages(method, { ...request, ...request.dispatch }).map((stage) =>
    stage.map((period) => byDay(period, firstDay, time)),
  );
  const toMs = Math.max(...first.map(({ endMs }) => endMs));
  const around = periodsAround(method, task, { request, days, window, toMs });
  return [
    { days: daysIn(first), periods: joined([...first.flatMap(({ begun }) => begun), ...around]) },
    ...later.map((stage) => ({ days: daysIn(stage), periods: [] })),
  ];
};

interface ByDay {
  readonly endMs: number;
  readonly days: readonly number[];
  /** The end of a day that began before. */
  readonly begun: readonly Period[];
}

/** The whole days in a period that are over before the day of the dispatch, of which only windows are needed. */
const byDay = ({ startMs, endMs }: Period, firstDay: number, time: LocalTime): ByDay => {
  const startOf = (day: number): number => time.startOf(day) * 1000;
  const begunDay = time.dayOf(startMs / 1000);
  const from = startOf(begunDay) === startMs ? begunDay : begunDay + 1;
  const days: number[] = [];
  for (let day = from; day < firstDay && startOf(day + 1) <= endMs; day++) days.push(day);
  const begun = from > begunDay && begunDay < firstDay ? [{ startMs, endMs: Math.min(endMs, startOf(from)) }] : [];
  return { endMs, days, begun };
};

const daysIn = (stage: readonly ByDay[]): number[] => stage.flatMap(({ days }) => days);

/** The local days as periods, in their order. */
export const periodsOfDays = (days: readonly number[], time: LocalTime): Period[] =>
  days.map((day) => ({ startMs: time.startOf(day) * 1000, endMs: time.startOf(day + 1) * 1000 }));
