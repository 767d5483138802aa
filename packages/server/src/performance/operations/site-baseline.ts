import {
  type Baseline,
  type BaselineMethod,
  type BaselineRequest,
  baselineOf,
  CELL_SECONDS,
  type CellRange,
  cellsTouching,
  dateOf,
  hourOf,
  inputsOf,
  localTime,
  type MeterKey,
  type Period,
  wantsWholeLookback,
} from "@curtail/measure";
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

/** Reads the inputs of the method, as much of the look-back as it probably needs, and computes the baseline. */
export const readBaseline = async (reader: ReadingRows, task: BaselineTask): Promise<Baseline> => {
  const inputs = inputsOf(task.method, task.dispatch);
  if (inputs === null) return baselineFrom(task, [], { first: 1, last: 0 });
  const meters = task.meters.filter(({ meter }) => task.reporting.has(meter));
  const likely = rangeOf(inputs.likelyFromMs, inputs.toMs);
  const rows = await reader.rows(meters, hourOf(likely.first), hourOf(likely.last));
  const baseline = baselineFrom(task, rows, likely);
  if (inputs.fromMs >= inputs.likelyFromMs || !wantsWholeLookback(task.method, baseline)) return baseline;
  const whole = rangeOf(inputs.fromMs, inputs.toMs);
  const earlier = await reader.rows(meters, hourOf(whole.first), hourOf(likely.first) - 1);
  return baselineFrom(task, [...earlier, ...rows], whole);
};

const rangeOf = (startMs: number, endMs: number): CellRange => cellsTouching({ startMs, endMs }, CELL_SECONDS);

const baselineFrom = (task: BaselineTask, rows: readonly ReadRow[], range: CellRange): Baseline => {
  const { dispatch } = task;
  const request: BaselineRequest = {
    load: loadFrom(rows, task.reporting, range),
    dispatch,
    timezone: dispatch.timezone,
    holidays: dispatch.holidays,
    eventDays: eventDaysOf(task.events, dispatch.timezone),
    curve: task.curve,
  };
  return baselineOf(task.method, request);
};

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
