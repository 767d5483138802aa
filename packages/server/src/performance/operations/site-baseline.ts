import {
  type Baseline,
  baselineOf,
  CELL_SECONDS,
  type CellRange,
  cellsTouching,
  type DayStage,
  dateOf,
  firstCellOfHour,
  firstCellUsed,
  hourOf,
  type LoadSeries,
  type LookbackTerms,
  localTime,
  type MeterKey,
  mayHaveGapDays,
  oldestMeters,
  type Period,
  periodsOfDays,
  wantsMoreLookback,
} from "@curtail/measure";
import { once } from "../../platform/once.js";
import { HOUR_MS } from "../../platform/period.js";
import { loadFrom, type Reporting, ScratchCells } from "../../telemetry/operations/site-load.js";
import { type BaselineTask, requestOf, stagesOf } from "./baseline-task.js";
import { isProfiled } from "./load-profiles.js";
import type { ReadingRows, ReadRow } from "./measurement-ports.js";
import type { LoadProfiles } from "./profile-ports.js";
import { inputsFor } from "./site-method.js";

/** A baseline, and the meters whose sum it was computed from. */
export interface CountedBaseline {
  readonly baseline: Baseline;
  readonly counted: Reporting;
  /** Whether whole days were read, which its explanation needs. */
  readonly isWhole: boolean;
}

/** `used`: only the hours that the baseline is computed from; `whole`: all of their days, which explain it. */
export type LookbackExtent = "used" | "whole";

/**
 * Reads as much of the look-back as the method needs, and computes the baseline. A meter that is younger than the days
 * that were averaged is left out, so that it never takes the baseline away (M2).
 */
export const readBaseline = async (
  reader: ReadingRows,
  task: BaselineTask,
  extent: LookbackExtent = "whole",
): Promise<CountedBaseline> => {
  const { events, excludedDays } = task.history;
  const terms = { ...task.dispatch, eventDays: eventDaysOf(events, task.dispatch.timezone), excludedDays };
  const meters = task.meters.filter(({ meter }) => task.reporting.has(meter));
  const firstHours = meters.length > 1 ? await reader.firstHours(meters) : new Map<number, number>();
  // Asked for by each stage that may have gaps.
  const firstOfAll = once(async () => (firstHours.size > 0 ? firstHours : reader.firstHours(meters)));
  const lookback = { task, terms, meters, firstHours, firstOfAll };
  const stages = stagesOf(task, terms);
  const profiled = areOld(lookback) ? await readProfiled(reader, lookback, stages.byDay()) : null;
  if (profiled !== null) return profiled;
  const used = extent === "used" && areOld(lookback) ? stages.used() : null;
  if (used !== null) {
    const found = await readStages(reader, lookback, { stages: used.map(ofPeriods), isWhole: false });
    if (found !== null) return found;
  }
  const found = await readStages(reader, lookback, { stages: stages.whole().map(ofPeriods), isWhole: true });
  if (found === null) throw new Error("whole days are all that a baseline needs");
  return found;
};

const ofPeriods = (periods: readonly Period[]): DayStage => ({ days: [], periods });

/** Null where most days have no profile: then the hours that are used are less to read. */
const readProfiled = async (
  reader: ReadingRows,
  lookback: Lookback,
  stages: readonly DayStage[] | null,
): Promise<CountedBaseline | null> => {
  const { task, meters, firstHours } = lookback;
  const { method, dispatch } = task;
  const [{ days } = { days: [] }] = stages ?? [];
  if (stages === null || !isProfiled(method) || days.length === 0 || meters.length === 0) return null;
  const counted = [...oldestOf(task, firstCellsOf(meters, firstHours, []))];
  const { timezone } = dispatch;
  const source = { site: meters[0]?.site ?? 0, meters: counted, timezone, intervalSeconds: method.interval_seconds };
  const profilesOf = async (wanted: readonly number[]): Promise<LoadProfiles> =>
    (wanted.length === 0 ? [] : await reader.profiles({ source, days: wanted }))[0] ?? NO_PROFILES;
  const first = await profilesOf(days);
  if (first.size * 2 < days.length) return null;
  return readStages(reader, lookback, {
    stages,
    isWhole: true,
    profilesOf: async (stage) => (stage === stages[0] ? first : profilesOf(stage.days)),
  });
};

const NO_PROFILES: LoadProfiles = new Map();

interface Lookback {
  readonly task: BaselineTask;
  readonly terms: LookbackTerms;
  /** Those that report. */
  readonly meters: readonly MeterKey[];
  /** Of those; empty if there is one meter, whose first hour only `firstOfAll` reads. */
  readonly firstHours: ReadonlyMap<number, number>;
  readonly firstOfAll: () => Promise<ReadonlyMap<number, number>>;
}

/** Whether no meter is younger than the look-back, so that it does not matter in which minute one began. */
const areOld = ({ task: { method, dispatch }, firstHours }: Lookback): boolean => {
  const fromHour = hourOf(firstCellFrom(inputsFor(method, dispatch)?.fromMs ?? 0));
  return [...firstHours.values()].every((hour) => hour < fromHour);
};

/** Days before the first reading are no gaps, of which a new site has many, nor are those that were not read. */
const needsWholeDays = async (
  { task, firstOfAll }: Lookback,
  { baseline, readFromMs }: { readonly baseline: Baseline; readonly readFromMs: number },
): Promise<boolean> => {
  const dateAt = (ms: number): string => dateOf(localTime(task.dispatch.timezone).dayOf(ms / 1000));
  const readFrom = dateAt(readFromMs);
  if (!mayHaveGapDays(baseline, readFrom)) return false;
  const hours = [...(await firstOfAll()).values()];
  if (hours.length === 0) return false;
  const first = dateAt(Math.min(...hours) * HOUR_MS);
  return mayHaveGapDays(baseline, first > readFrom ? first : readFrom);
};

const areBeforeReadings = async ({ firstOfAll }: Lookback, periods: readonly Period[]): Promise<boolean> => {
  const firstMs = Math.min(...(await firstOfAll()).values()) * HOUR_MS;
  return periods.every(({ endMs }) => endMs <= firstMs);
};

interface StagesToRead {
  readonly stages: readonly DayStage[];
  readonly isWhole: boolean;
  /** Absent: all of them are computed from readings. */
  readonly profilesOf?: (stage: DayStage) => Promise<LoadProfiles>;
}

/** Null if the baseline needs whole days after all. */
const readStages = async (
  reader: ReadingRows,
  lookback: Lookback,
  { stages, isWhole, profilesOf }: StagesToRead,
): Promise<CountedBaseline | null> => {
  const { task, terms, meters, firstHours } = lookback;
  let rows: readonly ReadRow[] = [];
  let ranges: readonly CellRange[] = [];
  let profiles = NO_PROFILES;
  let found: CountedBaseline | null = null;
  const needsMore = async ({ baseline }: CountedBaseline): Promise<boolean> => {
    const readFromMs = ((ranges[0]?.first ?? 1) - 1) * CELL_SECONDS * 1000;
    return !isWhole && needsWholeDays(lookback, { baseline, readFromMs });
  };
  const computed = (counted: Reporting): CountedBaseline => ({
    baseline: baselineOf(task.method, { ...requestOf(task, terms), load: loadIn(ranges, rows, counted), profiles }),
    counted,
    isWhole,
  });
  // Without a meter that reports, no part of the look-back has anything to read.
  const periodsOf = (days: readonly number[]) => periodsOfDays(days, localTime(task.dispatch.timezone));
  for (const [nth, stage] of meters.length === 0 ? [] : stages.entries()) {
    const { days, periods } = stage;
    // With gaps of what was never sent, it would be computed once more as it is.
    if (nth > 0 && (await areBeforeReadings(lookback, [...periods, ...periodsOf(days)]))) continue;
    const known = (await profilesOf?.(stage)) ?? NO_PROFILES;
    profiles = new Map([...profiles, ...known]);
    const read = [...periods, ...periodsOf(days.filter((day) => !known.has(day)))];
    const cells = read.map((period) => cellsTouching(period, CELL_SECONDS));
    const hours = joined(cells.map(hoursOf)).map(({ first, last }) => ({ from: first, to: last }));
    if (hours.length > 0) rows = [...rows, ...(await reader.rows({ meters, periods: hours }))];
    ranges = joined([...ranges, ...cells]);
    found = computed(oldestOf(task, firstCellsOf(meters, firstHours, rows)));
    if (await needsMore(found)) return null;
    if (!wantsMoreLookback(task.method, found.baseline)) break;
  }
  if (found === null) return computed(task.reporting);
  const all = withYounger(found, firstCellsOf(meters, firstHours, rows), computed);
  return all !== found && (await needsMore(all)) ? null : all;
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
  const fromMs = inputsFor(method, dispatch)?.fromMs;
  if (fromMs === undefined || firstCells.size < 2) return reporting;
  return oldestMeters(firstCells, firstCellFrom(fromMs));
};

const firstCellFrom = (fromMs: number): number =>
  cellsTouching({ startMs: fromMs, endMs: fromMs + 1 }, CELL_SECONDS).first;

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

const hoursOf = ({ first, last }: CellRange): CellRange => ({ first: hourOf(first), last: hourOf(last) });

/** The same in as few ranges as possible, in order: two intervals may meet in an hour, and a day may be read again. */
const joined = (ranges: readonly CellRange[]): CellRange[] => {
  const runs: CellRange[] = [];
  for (const range of ranges.toSorted((a, b) => a.first - b.first)) {
    const last = runs.at(-1);
    if (last === undefined || range.first > last.last + 1) runs.push(range);
    else runs[runs.length - 1] = { first: last.first, last: Math.max(last.last, range.last) };
  }
  return runs;
};

/** A baseline keeps nothing of the load that it is computed from. */
const scratch = new ScratchCells();

/**
 * The load in some ranges, in order, from the first hour with a reading, without the rest of the hours that the ranges cut: a
 * day that was not asked for is not known.
 */
const loadIn = (ranges: readonly CellRange[], rows: readonly ReadRow[], counted: Reporting): LoadSeries => {
  const [{ first } = { first: 1 }] = ranges;
  const filledFrom = rows.reduce((cell, { hour }) => Math.min(cell, firstCellOfHour(hour)), Number.POSITIVE_INFINITY);
  const last = ranges.at(-1)?.last ?? first - 1;
  const load = loadFrom(rows, counted, { first: Math.min(Math.max(first, filledFrom), last + 1), last }, scratch);
  for (const [nth, { last }] of ranges.entries()) {
    const next = ranges[nth + 1]?.first ?? last + 1;
    clear(load, last + 1, Math.min(next, firstCellOfHour(hourOf(last) + 1)));
    clear(load, Math.max(last + 1, firstCellOfHour(hourOf(next))), next);
  }
  return load;
};

/** Cells `from` to before `to`. */
const clear = ({ firstCell, values }: LoadSeries, from: number, to: number): void => {
  if (from < to) values.fill(Number.NaN, Math.max(0, from - firstCell), Math.max(0, to - firstCell));
};

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
