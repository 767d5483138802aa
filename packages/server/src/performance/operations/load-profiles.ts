import {
  type BaselineMethod,
  CELL_SECONDS,
  cellsTouching,
  type DaysMethod,
  type HourRow,
  hourOf,
  type LoadProfile,
  loadProfile,
  localTime,
  type Period,
  periodsOfDays,
} from "@curtail/measure";
import type { Hours } from "../../telemetry/domain/hours.js";
import { loadFrom, ScratchCells } from "../../telemetry/operations/site-load.js";
import type { ProfileDays, ProfileSource } from "./profile-ports.js";

/** Of finer intervals, a profile is hardly smaller than the readings. */
const LEAST_SECONDS = 300;

/** Whether baselines by a method look back on profiles. */
export const isProfiled = (method: BaselineMethod): method is DaysMethod =>
  method.kind === "days" && method.interval_seconds >= LEAST_SECONDS;

/** A profile keeps nothing of the load that it is computed from. */
const scratch = new ScratchCells();

/** The profile of a day, from rows of all its hours. */
export const profileFrom = (rows: readonly HourRow[], source: ProfileSource, day: number): LoadProfile => {
  const [period] = periodsOfDays([day], localTime(source.timezone));
  const range = cellsTouching(period ?? { startMs: 0, endMs: 0 }, CELL_SECONDS);
  return loadProfile(loadFrom(rows, new Set(source.meters), range, scratch), day, source);
};

/** The hours that have all of the days, in order; those that follow each other are one stretch. */
export const hoursOfDays = (wanted: readonly ProfileDays[]): Hours[] => {
  const periods = wanted.flatMap(({ source, days }) => periodsOfDays(days, localTime(source.timezone)));
  const stretches: Hours[] = [];
  for (const { from, to } of periods.map(hoursOf).toSorted((a, b) => a.from - b.from)) {
    const last = stretches.at(-1);
    if (last === undefined || from > last.to + 1) stretches.push({ from, to });
    else stretches[stretches.length - 1] = { from: last.from, to: Math.max(last.to, to) };
  }
  return stretches;
};

const hoursOf = (period: Period): Hours => {
  const { first, last } = cellsTouching(period, CELL_SECONDS);
  return { from: hourOf(first), to: hourOf(last) };
};
