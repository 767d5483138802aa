import {
  type Baseline,
  type BaselineMethod,
  baselineOf,
  CELL_SECONDS,
  type CellRange,
  cellsTouching,
  dateOf,
  firstCellOfHour,
  firstCellUsed,
  hourOf,
  inputsOf,
  type LoadSeries,
  type LookbackTerms,
  localTime,
  lookbackStages,
  type MeterKey,
  oldestMeters,
  type Period,
  wantsMoreLookback,
} from "@curtail/measure";
import type { Hours } from "../../telemetry/domain/hours.js";
import { loadFrom, type Reporting } from "../../telemetry/operations/site-load.js";
import type { DispatchToMeasure, ReadingRows, ReadRow, SiteHistory } from "./measurement-ports.js";

/** The period and meters that a site's baseline is computed for. */
export interface BaselineTask {
  readonly dispatch: DispatchToMeasure;
  readonly method: BaselineMethod;
  readonly history: SiteHistory;
  readonly meters: readonly MeterKey[];
  readonly reporting: Reporting;
  /** Period of the curve. */
  readonly curve: Period;
}

/** A baseline, and the meters whose sum it was computed from. */
export interface CountedBaseline {
  readonly baseline: Baseline;
  readonly counted: Reporting;
}

/**
 * Reads as much of the look-back as the method needs, and computes the baseline. A meter that is younger than the days
 * that were averaged is left out, so that it never takes the baseline away (M2).
 */
export const readBaseline = async (reader: ReadingRows, task: BaselineTask): Promise<CountedBaseline> => {
  const { events, excludedDays } = task.history;
  const terms = { ...task.dispatch, eventDays: eventDaysOf(events, task.dispatch.timezone), excludedDays };
  const meters = task.meters.filter(({ meter }) => task.reporting.has(meter));
  const firstHours = meters.length > 1 ? await reader.firstHours(meters) : new Map<number, number>();
  let rows: readonly ReadRow[] = [];
  let range: CellRange = { first: 1, last: 0 };
  let found: CountedBaseline | null = null;
  const computed = (counted: Reporting): CountedBaseline => ({
    baseline: baselineOf(task.method, requestOf(task, terms, loadFrom(rows, counted, range))),
    counted,
  });
  // Without a meter that reports, no part of the look-back has anything to read.
  for (const periods of meters.length === 0 ? [] : lookbackStages(task.method, terms)) {
    const stage = periods.map((period) => cellsTouching(period, CELL_SECONDS));
    rows = [...rows, ...(await reader.rows(meters, stage.map(hoursOf)))];
    range = spanOf(found === null ? stage : [range, ...stage]);
    found = computed(oldestOf(task, firstCellsOf(meters, firstHours, rows)));
    if (!wantsMoreLookback(task.method, found.baseline)) break;
  }
  return found === null
    ? computed(task.reporting)
    : withYounger(found, firstCellsOf(meters, firstHours, rows), computed);
};

/** The same with the meters that are old enough for its days, unless those days are not whole with them. */
const withYounger = (
  oldest: CountedBaseline,
  firstCells: ReadonlyMap<number, number>,
  computed: (counted: Reporting) => CountedBaseline,
): CountedBaseline => {
  const from = firstCellUsed(oldest.baseline.explanation) ?? Number.NEGATIVE_INFINITY;
  const oldEnough = [...firstCells].filter(([, cell]) => cell <= from).map(([meter]) => meter);
  const counted = new Set([...oldest.counted, ...oldEnough]);
  if (counted.size === oldest.counted.size) return oldest;
  const all = computed(counted);
  return isAsGood(all.baseline, oldest.baseline) ? all : oldest;
};

const isAsGood = (one: Baseline, other: Baseline): boolean =>
  one.state === other.state && one.explanation.kind === other.explanation.kind;

const oldestOf = (
  { method, dispatch, reporting }: BaselineTask,
  firstCells: ReadonlyMap<number, number>,
): Reporting => {
  const fromMs = inputsOf(method, dispatch)?.fromMs;
  if (fromMs === undefined || firstCells.size < 2) return reporting;
  return oldestMeters(firstCells, cellsTouching({ startMs: fromMs, endMs: fromMs + 1 }, CELL_SECONDS).first);
};

/** Each meter's first cell with a reading; of an hour that was not read, its first cell. */
const firstCellsOf = (
  meters: readonly MeterKey[],
  firstHours: ReadonlyMap<number, number>,
  rows: readonly ReadRow[],
): ReadonlyMap<number, number> => {
  const cells = new Map<number, number>();
  for (const { meter } of meters) {
    const hour = firstHours.get(meter);
    if (hour === undefined) continue;
    const row = rows.find((each) => each.meter === meter && each.hour === hour);
    const place = row?.cells.findIndex((kw) => !Number.isNaN(kw)) ?? 0;
    cells.set(meter, firstCellOfHour(hour) + Math.max(0, place));
  }
  return cells;
};

const hoursOf = ({ first, last }: CellRange): Hours => ({ from: hourOf(first), to: hourOf(last) });

/** From the first cell of the ranges to their last. */
const spanOf = (ranges: readonly CellRange[]): CellRange => ({
  first: Math.min(...ranges.map(({ first }) => first)),
  last: Math.max(...ranges.map(({ last }) => last)),
});

const requestOf = ({ dispatch, curve, history }: BaselineTask, { eventDays }: LookbackTerms, load: LoadSeries) => ({
  load,
  dispatch,
  timezone: dispatch.timezone,
  holidays: dispatch.holidays,
  eventDays,
  excludedDays: history.excludedDays,
  rulesVersion: dispatch.rulesVersion,
  otherEvents: history.events,
  curve,
});

/** Local days of the events. */
export const eventDaysOf = (events: readonly Period[], timezone: string): string[] => {
  const time = localTime(timezone);
  const days = new Set<string>();
  for (const { startMs, endMs } of events) {
    const last = time.dayOf(Math.max(startMs, endMs - 1) / 1000);
    for (let day = time.dayOf(startMs / 1000); day <= last; day++) days.add(dateOf(day));
  }
  return [...days];
};
