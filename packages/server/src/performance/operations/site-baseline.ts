import {
  type Baseline,
  type BaselineMethod,
  baselineOf,
  CELL_SECONDS,
  type CellRange,
  cellsTouching,
  dateOf,
  hourOf,
  type LoadSeries,
  type LookbackTerms,
  localTime,
  lookbackStages,
  type MeterKey,
  type Period,
  wantsMoreLookback,
} from "@curtail/measure";
import type { Hours } from "../../telemetry/domain/hours.js";
import { loadFrom, type Reporting } from "../../telemetry/operations/site-load.js";
import type { DispatchToMeasure, OtherEvent, ReadingRows, ReadRow } from "./measurement-ports.js";

/** The period and meters that a site's baseline is computed for. */
export interface BaselineTask {
  readonly dispatch: DispatchToMeasure;
  readonly method: BaselineMethod;
  /** Other dispatches of the site. */
  readonly events: readonly OtherEvent[];
  readonly meters: readonly MeterKey[];
  readonly reporting: Reporting;
  /** Period of the curve. */
  readonly curve: Period;
}

/** Reads as much of the look-back as the method needs, and computes the baseline. */
export const readBaseline = async (reader: ReadingRows, task: BaselineTask): Promise<Baseline> => {
  const terms = { ...task.dispatch, eventDays: eventDaysOf(task.events, task.dispatch.timezone) };
  const meters = task.meters.filter(({ meter }) => task.reporting.has(meter));
  let rows: readonly ReadRow[] = [];
  let range: CellRange = { first: 1, last: 0 };
  let baseline: Baseline | null = null;
  for (const periods of lookbackStages(task.method, terms)) {
    const stage = periods.map((period) => cellsTouching(period, CELL_SECONDS));
    rows = [...rows, ...(await reader.rows(meters, stage.map(hoursOf)))];
    range = spanOf(baseline === null ? stage : [range, ...stage]);
    baseline = baselineOf(task.method, requestOf(task, terms, loadFrom(rows, task.reporting, range)));
    if (!wantsMoreLookback(task.method, baseline)) break;
  }
  return baseline ?? baselineOf(task.method, requestOf(task, terms, loadFrom([], task.reporting, range)));
};

const hoursOf = ({ first, last }: CellRange): Hours => ({ from: hourOf(first), to: hourOf(last) });

/** From the first cell of the ranges to their last. */
const spanOf = (ranges: readonly CellRange[]): CellRange => ({
  first: Math.min(...ranges.map(({ first }) => first)),
  last: Math.max(...ranges.map(({ last }) => last)),
});

const requestOf = ({ dispatch, curve, events }: BaselineTask, { eventDays }: LookbackTerms, load: LoadSeries) => ({
  load,
  dispatch,
  timezone: dispatch.timezone,
  holidays: dispatch.holidays,
  eventDays,
  otherEvents: events,
  curve,
});

/** Local days of the events. */
const eventDaysOf = (events: readonly OtherEvent[], timezone: string): string[] => {
  const time = localTime(timezone);
  const days = new Set<string>();
  for (const { startMs, endMs } of events) {
    const last = time.dayOf(Math.max(startMs, endMs - 1) / 1000);
    for (let day = time.dayOf(startMs / 1000); day <= last; day++) days.add(dateOf(day));
  }
  return [...days];
};
