import { describe, expect, test } from "vitest";
import { accuracyOf, comparedLoads, comparedSeconds } from "../src/accuracy.js";
import { CELL_SECONDS } from "../src/grid.js";
import { cellsOf, flatSeries, type LoadSeries, type Period } from "../src/load-series.js";
import { methodOf } from "./support/presets.js";

const pair = (actualKw: number, baselineKw: number) => ({ actualKw, baselineKw });

describe("the accuracy of a method", () => {
  test("worked by hand: errors of 10, −10, 0 and 20 kW on a mean load of 100 kW", () => {
    const accuracy = accuracyOf([
      [pair(90, 100), pair(110, 100)],
      [pair(120, 120), pair(80, 100)],
    ]);
    expect(accuracy).toEqual({
      days: 2,
      intervals: 4,
      meanActualKw: 100,
      // (10 − 10 + 0 + 20) ÷ 4
      biasKw: 5,
      relativeBias: 0.05,
      // √((100 + 100 + 0 + 400) ÷ 4)
      rmseKw: Math.sqrt(150),
      relativeRmse: Math.sqrt(150) / 100,
    });
  });

  test("a constant error is both bias and root mean square error", () => {
    const accuracy = accuracyOf([[pair(50, 47), pair(70, 67)]]);
    expect(accuracy).toMatchObject({ biasKw: -3, relativeBias: -0.05, rmseKw: 3, relativeRmse: 0.05 });
  });

  test("of nothing is unknown, and a day without intervals does not count", () => {
    const unknown = { meanActualKw: null, biasKw: null, relativeBias: null, rmseKw: null, relativeRmse: null };
    expect(accuracyOf([])).toEqual({ days: 0, intervals: 0, ...unknown });
    expect(accuracyOf([[], []])).toEqual({ days: 0, intervals: 0, ...unknown });
    expect(accuracyOf([[], [pair(1, 1)]])).toMatchObject({ days: 1, intervals: 1, biasKw: 0, rmseKw: 0 });
  });

  test("is not relative to a mean of zero, nor its error to export", () => {
    expect(accuracyOf([[pair(-5, 0), pair(5, 0)]])).toMatchObject({ relativeBias: null, relativeRmse: null });
    const exporting = accuracyOf([[pair(-100, -80)]]);
    expect(exporting).toMatchObject({ biasKw: 20, relativeBias: -0.2, rmseKw: 20, relativeRmse: null });
  });
});

const periodOf = (from: string, to: string): Period => ({
  startMs: Date.parse(`2026-07-15T${from}Z`),
  endMs: Date.parse(`2026-07-15T${to}Z`),
});

const NOON: Period = periodOf("12:00", "14:00");

const flat = (kw: number, period = NOON, seconds = CELL_SECONDS): LoadSeries =>
  flatSeries(kw, cellsOf(period, seconds), seconds);

describe("load and baseline are compared", () => {
  const terms = { period: NOON, intervalSeconds: 3600, timezone: "UTC" };

  test("in intervals of the method, as means of the load in each", () => {
    const load = flat(100);
    load.values.fill(200, 60, 120);
    const baseline = flat(130, NOON, 3600);
    expect(comparedLoads({ ...terms, load, baseline })).toEqual([pair(150, 130), pair(100, 130)]);
  });

  test("with the first and last interval cut to the period, by the local clock", () => {
    const period = periodOf("12:45", "14:15");
    const load = flat(100, period);
    const baseline = flat(90, periodOf("12:00", "15:00"), 3600);
    expect(comparedLoads({ ...terms, period, load, baseline })).toHaveLength(3);
    // In Kathmandu, 45 minutes ahead of the hour, the same period has the hours from 18:30 to 19:00 and to 20:00.
    expect(comparedLoads({ ...terms, timezone: "Asia/Kathmandu", period, load, baseline })).toHaveLength(2);
  });

  test("where at least half of an interval has load, and there is a baseline", () => {
    const load = flat(100);
    load.values.fill(Number.NaN, 0, 61);
    expect(comparedLoads({ ...terms, load, baseline: flat(90) })).toEqual([pair(100, 90)]);
    load.values.fill(100, 60, 61);
    expect(comparedLoads({ ...terms, load, baseline: flat(90) })).toHaveLength(2);
    expect(comparedLoads({ ...terms, load, baseline: flat(Number.NaN) })).toEqual([]);
  });

  test("in five minutes if the method has no intervals", () => {
    expect(comparedSeconds(methodOf("middle_8_of_10"))).toBe(900);
    expect(comparedSeconds(methodOf("meter_before"))).toBe(300);
  });
});
