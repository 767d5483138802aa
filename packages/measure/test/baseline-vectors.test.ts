import { describe, expect, test } from "vitest";
import { baselineOf } from "../src/baseline.js";
import type { Baseline, BaselineRequest } from "../src/baseline-result.js";
import { cellsOf, type LoadSeries, meanOver, onGrid, type Period } from "../src/load-series.js";
import { requestFor, valuesIn } from "./support/load.js";
import { methodOf } from "./support/presets.js";
import { fixtures, NO_FIXTURES, readJson, readSeries, TOLERANCE } from "./support/vectors.js";

const found = (baseline: Baseline): Extract<Baseline, { state: "found" }> => {
  if (baseline.state === "none") throw new Error(baseline.reason);
  return baseline;
};

const daysOf = (baseline: Baseline) => {
  if (baseline.explanation.kind !== "days") throw new Error(`explained as ${baseline.explanation.kind}`);
  return baseline.explanation;
};

const expectNear = (actual: readonly number[], expected: readonly number[]) => {
  expect(actual.length).toBe(expected.length);
  for (const [index, kw] of expected.entries()) {
    expect(Math.abs((actual[index] ?? Number.NaN) - kw), `[${index}]: ${actual[index]}`).toBeLessThanOrEqual(TOLERANCE);
  }
};

const expectOneNear = (actual: number | null | undefined, expected: number) =>
  expectNear([actual ?? Number.NaN], [expected]);

interface Expected {
  readonly selected_days: readonly string[];
  readonly unadjusted_kw: readonly number[];
  readonly adjusted_kw: readonly number[];
  readonly actual_kw: readonly number[];
  readonly reduction_kw: readonly number[];
  readonly mean_reduction_kw: number;
  readonly performance_pct: number;
  readonly commitment_kw: number;
}

const iso = (ms: number) => new Date(ms).toISOString();

const request = (load: LoadSeries, { startMs, endMs }: Period, rest: Partial<BaselineRequest>) =>
  requestFor(load, [iso(startMs), iso(endMs)], rest);

const expectCurves = (baseline: Baseline, load: LoadSeries, period: Period, expected: Expected) => {
  const { curve, unadjusted } = found(baseline);
  expectNear(valuesIn(unadjusted, period), expected.unadjusted_kw);
  expectNear(valuesIn(curve, period), expected.adjusted_kw);
  const loads = valuesIn(load, period);
  expectNear(loads, expected.actual_kw);
  const reductions = valuesIn(curve, period).map((kw, index) => kw - (loads[index] ?? Number.NaN));
  expectNear(reductions, expected.reduction_kw);
  const mean = reductions.reduce((sum, kw) => sum + kw, 0) / reductions.length;
  expectOneNear(mean, expected.mean_reduction_kw);
  expectOneNear((mean / expected.commitment_kw) * 100, expected.performance_pct);
};

if (fixtures === undefined) test.skip(`the worked baselines: ${NO_FIXTURES}`, () => {});
else {
  describe("the worked baselines", () => {
    test("high 4 of 5, additive", async () => {
      interface Vector {
        readonly expected: Expected & {
          readonly low_usage_removed: readonly string[];
          readonly basis_days: readonly string[];
          readonly event_period_means: Readonly<Record<string, number>>;
          readonly adj_window_actual_mean_kw: number;
          readonly adj_window_baseline_mean_kw: number;
          readonly adjustment_kw: number;
        };
      }
      const { expected } = await readJson<Vector>("baseline/01_high4of5_additive.json");
      const [load] = await readSeries("baseline/01_high4of5_additive.csv");
      const period = { startMs: Date.parse("2026-07-15T18:00:00Z"), endMs: Date.parse("2026-07-15T22:00:00Z") };
      const baseline = baselineOf(
        methodOf("high_4_of_5"),
        request(load, period, {
          timezone: "America/New_York",
          holidays: ["2026-07-03"],
          eventDays: ["2026-07-10"],
        }),
      );
      expectCurves(baseline, load, period, expected);
      const { pool, dropped, chosen, adjustment } = daysOf(baseline);
      expect(pool.map(({ date }) => date)).toEqual(expected.basis_days);
      for (const { date, eventMeanKw } of pool) expectOneNear(eventMeanKw, expected.event_period_means[date] ?? 0);
      expect(dropped.filter(({ reason }) => reason === "low_usage").map(({ date }) => date)).toEqual(
        expected.low_usage_removed,
      );
      expect(chosen).toEqual(expected.selected_days);
      expectOneNear(adjustment?.actualMeanKw, expected.adj_window_actual_mean_kw);
      expectOneNear(adjustment?.baselineMeanKw, expected.adj_window_baseline_mean_kw);
      expectOneNear(adjustment?.raw, expected.adjustment_kw);
      expectOneNear(adjustment?.applied, expected.adjustment_kw);
    });

    test("middle 8 of 10", async () => {
      interface Vector {
        readonly expected: Expected & {
          readonly ten_days: readonly string[];
          readonly daily_kwh: Readonly<Record<string, number>>;
        };
      }
      const { expected } = await readJson<Vector>("baseline/02_mid8of10_none.json");
      const [load] = await readSeries("baseline/02_mid8of10_none.csv");
      const period = { startMs: Date.parse("2026-08-18T20:00:00Z"), endMs: Date.parse("2026-08-18T23:00:00Z") };
      const baseline = baselineOf(
        methodOf("middle_8_of_10"),
        request(load, period, { timezone: "America/Chicago", eventDays: ["2026-08-12"] }),
      );
      expectCurves(baseline, load, period, expected);
      const { pool, dropped, chosen } = daysOf(baseline);
      expect(pool.map(({ date }) => date)).toEqual(expected.ten_days);
      for (const { date, energyKwh } of pool) expectOneNear(energyKwh, expected.daily_kwh[date] ?? 0);
      expect(dropped).toContainEqual({
        date: "2026-08-06",
        reason: "incomplete",
        why: "4 of 12 intervals of the hours that are used have no readings",
      });
      expect(chosen?.toSorted()).toEqual(expected.selected_days);
    });

    interface RatioCase {
      readonly name: string;
      readonly input: string;
      readonly expected: Expected & {
        readonly adj_window_actual_kw: readonly number[];
        readonly adj_window_baseline_kw: readonly number[];
        readonly raw_ratio: number;
        readonly applied_ratio: number;
      };
    }
    test.each(["within_cap", "above_cap", "below_cap", "just_below_cap"])("10 of 10, ratio: %s", async (name) => {
      const { cases } = await readJson<{ cases: readonly RatioCase[] }>("baseline/03_10of10_mult20.json");
      const worked = cases.find((each) => each.name === name);
      if (worked === undefined) throw new Error(`no case ${name}`);
      const [load] = await readSeries(`baseline/${worked.input}`);
      const period = { startMs: Date.parse("2026-09-10T23:00:00Z"), endMs: Date.parse("2026-09-11T03:00:00Z") };
      const window = { startMs: Date.parse("2026-09-10T19:00:00Z"), endMs: Date.parse("2026-09-10T22:00:00Z") };
      const baseline = baselineOf(
        methodOf("ten_of_ten"),
        request(load, period, {
          timezone: "America/Los_Angeles",
          holidays: ["2026-09-07"],
          eventDays: ["2026-09-01", "2026-09-02"],
          curve: { startMs: window.startMs, endMs: period.endMs },
        }),
      );
      expectCurves(baseline, load, period, worked.expected);
      expectNear(valuesIn(load, window), worked.expected.adj_window_actual_kw);
      expectNear(valuesIn(found(baseline).unadjusted, window), worked.expected.adj_window_baseline_kw);
      const { chosen, adjustment } = daysOf(baseline);
      expect(chosen).toEqual(worked.expected.selected_days);
      expect(adjustment).toMatchObject({ windowStartMs: window.startMs, windowEndMs: window.endMs });
      expectOneNear(adjustment?.raw, worked.expected.raw_ratio);
      expectOneNear(adjustment?.applied, worked.expected.applied_ratio);
    });

    test("meter before, before notification and before the start", async () => {
      interface Vector {
        readonly notification: string;
        readonly start: string;
        readonly end: string;
        readonly commitment_kw: number;
        readonly expected: Readonly<Record<string, number>> & {
          readonly event_5min_means_kw: readonly number[];
          readonly variant_a_reduction_5min_kw: readonly number[];
        };
      }
      const vector = await readJson<Vector>("baseline/04_mbma.json");
      const [load] = await readSeries("baseline/04_mbma.csv");
      const period = { startMs: Date.parse(vector.start), endMs: Date.parse(vector.end) };
      const dispatch = { ...period, notificationMs: Date.parse(vector.notification) };
      const curveOf = (seconds: number, anchor: "start" | "notification") =>
        found(baselineOf({ kind: "meter_before", seconds, anchor }, request(load, period, { dispatch }))).curve;
      const meanOf = (series: LoadSeries) => meanOver(series, cellsOf(period, series.intervalSeconds)).meanKw;
      const { expected } = vector;
      const [a, b] = [curveOf(300, "notification"), curveOf(900, "start")];
      expectOneNear(meanOf(a), expected["variant_a_mean_5min_before_notification_kw"] ?? 0);
      expectOneNear(meanOf(b), expected["variant_b_mean_15min_before_start_kw"] ?? 0);
      expectOneNear(meanOf(curveOf(30, "start")), expected["variant_c_last_30s_before_start_kw"] ?? 0);
      const fiveMinutes = valuesIn(onGrid(load, 300), period);
      expectNear(fiveMinutes, expected.event_5min_means_kw);
      const baselines = valuesIn(onGrid(a, 300), period);
      const reductions = baselines.map((kw, index) => kw - (fiveMinutes[index] ?? Number.NaN));
      expectNear(reductions, expected.variant_a_reduction_5min_kw);
      for (const [name, curve] of [
        ["a", a],
        ["b", b],
      ] as const) {
        const reduction = meanOf(curve) - meanOf(load);
        expectOneNear(reduction, expected[`variant_${name}_mean_reduction_kw`] ?? 0);
        expectOneNear((reduction / vector.commitment_kw) * 100, expected[`variant_${name}_performance_pct`] ?? 0);
      }
    });
  });
}
