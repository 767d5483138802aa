import { readFileSync } from "node:fs";
import type { Interval } from "./measuring.js";

// The building is in Chicago's time zone, and was recorded entirely in summer: five hours behind UTC.
const OFFSET_MINUTES = -5 * 60;
export const MINUTES_PER_DAY = 1440;

/** A recorded building, minute by minute of local time. */
export interface Building {
  readonly intervals: readonly Interval[];
  /** Mean over a range of minutes of a local day, counted from midnight. */
  mean(date: string, fromMinute: number, toMinute: number): number;
  isWhole(date: string): boolean;
}

export const readBuilding = (file: string): Building => {
  const intervals = readFileSync(file, "utf8")
    .trimEnd()
    .split("\n")
    .slice(1)
    .map((line) => line.split(","))
    .map(([, , end = "", seconds, kw]) => ({ endMs: Date.parse(end), seconds: Number(seconds), kw: Number(kw) }));
  const byMinute = new Map(intervals.map(({ endMs, kw }) => [endMs / 60_000 + OFFSET_MINUTES, kw]));
  const minutesOf = (date: string, from: number, to: number): number[] => {
    const midnight = Date.parse(`${date}T00:00:00Z`) / 60_000;
    return Array.from({ length: to - from }, (_, index) => byMinute.get(midnight + from + index + 1) ?? Number.NaN);
  };
  return {
    intervals,
    mean: (date, from, to) => meanOf(minutesOf(date, from, to)),
    isWhole: (date) => minutesOf(date, 0, MINUTES_PER_DAY).every((kw) => !Number.isNaN(kw)),
  };
};

export const meanOf = (values: readonly number[]): number => values.reduce((sum, kw) => sum + kw, 0) / values.length;
