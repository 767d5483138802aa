import { describe, expect, test } from "vitest";
import type { Explanation } from "../src/baseline-result.js";
import { firstCellOfHour } from "../src/grid.js";
import {
  firstCellUsed,
  hasReadingIn,
  hoursWithin,
  measuredMeters,
  oldestMeters,
  reportingCells,
} from "../src/meters.js";

const meter = (id: string, assetType = "load") => ({ id, assetType });
const idsOf = (meters: ReadonlyArray<{ readonly id: string }>): string[] => meters.map(({ id }) => id);

describe("M1: the load of a site is the sum of", () => {
  test("the meters that it names, points of interconnection or not", () => {
    const meters = [meter("grid", "poi"), meter("hall"), meter("shed")];
    expect(idsOf(measuredMeters(meters, ["shed", "hall"]))).toEqual(["hall", "shed"]);
  });

  test("its points of interconnection, if it has any", () => {
    const meters = [meter("hall"), meter("north", "poi"), meter("sun", "generator"), meter("south", "poi")];
    expect(idsOf(measuredMeters(meters, null))).toEqual(["north", "south"]);
  });

  test("otherwise all of its meters", () => {
    expect(idsOf(measuredMeters([meter("hall"), meter("sun", "generator")], null))).toEqual(["hall", "sun"]);
    expect(measuredMeters([], null)).toEqual([]);
  });
});

describe("M2: the week before the start", () => {
  const startMs = Date.parse("2026-06-10T18:00:00Z");

  test("has the cells of seven days, and ends with the last cell before the start", () => {
    const { first, last } = reportingCells(startMs);
    expect(last * 30_000).toBe(startMs);
    expect((first - 1) * 30_000).toBe(startMs - 7 * 86_400_000);
  });

  test("is made of whole hours if it starts with one, and else cuts an hour at either end", () => {
    const hour = startMs / 3_600_000;
    expect(hoursWithin(reportingCells(startMs))).toEqual({ whole: { first: hour - 168, last: hour - 1 }, cut: [] });
    expect(hoursWithin(reportingCells(startMs + 60_000))).toEqual({
      whole: { first: hour - 167, last: hour - 1 },
      cut: [hour - 168, hour],
    });
  });

  test("has a reading of an hour if one of its cells lies in it", () => {
    const hour = startMs / 3_600_000;
    const cells = new Float64Array(120).fill(Number.NaN);
    cells[2] = 0;
    const row = { site: 1, meter: 1, hour, cells };
    const cell = firstCellOfHour(hour) + 2;
    expect(hasReadingIn(row, { first: cell, last: cell })).toBe(true);
    expect(hasReadingIn(row, { first: cell + 1, last: cell + 9 })).toBe(false);
    expect(hasReadingIn(row, { first: cell - 9, last: cell - 1 })).toBe(false);
  });
});

const cellOfDay = (day: number): number => day * 2880;

describe("M2: a baseline is first computed from", () => {
  test("the meters that are as old as the look-back", () => {
    const first = new Map([
      [1, 10],
      [2, cellOfDay(4)],
      [3, cellOfDay(5) + 1],
    ]);
    expect(oldestMeters(first, cellOfDay(5))).toEqual(new Set([1, 2]));
  });

  test("the oldest where none is, with those that came within a day", () => {
    const first = new Map([
      [1, cellOfDay(9)],
      [2, cellOfDay(10)],
      [3, cellOfDay(10) + 1],
    ]);
    expect(oldestMeters(first, cellOfDay(5))).toEqual(new Set([1, 2]));
  });
});

const consideredDay = (date: string) => ({ date, eventMeanKw: 1, energyKwh: 1, missingIntervals: 0, kw: [] });

const explanationOf = (pool: readonly string[], laterPool: readonly string[] = []): Explanation => {
  const choice = { intervals: [], dropped: [], chosen: null, chosenByInterval: null } as const;
  return {
    kind: "days",
    timezone: "America/New_York",
    intervalSeconds: 3600,
    eventDate: "2026-06-10",
    eventDayType: "weekday",
    ...choice,
    pool: pool.map(consideredDay),
    adjustment: null,
    laterDays: [
      { eventDate: "2026-06-11", eventDayType: "weekday", reason: null, ...choice, pool: laterPool.map(consideredDay) },
    ],
  };
};

describe("the first cell that a baseline uses", () => {
  test("begins the oldest day of any pool, by the local clock", () => {
    const cell = Date.parse("2026-06-05T04:00:00Z") / 30_000 + 1;
    expect(firstCellUsed(explanationOf(["2026-06-09", "2026-06-05"], ["2026-06-08"]))).toBe(cell);
    expect(firstCellUsed(explanationOf(["2026-06-09"], ["2026-06-05"]))).toBe(cell);
  });

  test("begins the window of the load before", () => {
    const windowStartMs = Date.parse("2026-06-10T17:45:00Z");
    const explanation = {
      kind: "meter_before",
      anchor: "start",
      windowStartMs,
      windowEndMs: windowStartMs + 900_000,
      cellsExpected: 30,
      cellsUsed: 30,
      kw: [],
      meanKw: 1,
    } as const;
    expect(firstCellUsed(explanation)).toBe(windowStartMs / 30_000 + 1);
  });

  test("is none where no load is averaged", () => {
    expect(firstCellUsed(explanationOf([]))).toBeNull();
    expect(firstCellUsed({ kind: "flat", kw: 5 })).toBeNull();
  });
});
