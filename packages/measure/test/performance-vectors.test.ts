import { describe, expect, test } from "vitest";
import { complianceOf } from "../src/compliance.js";
import { firstReaching, secondsUntilEndOf } from "../src/full-curtailment.js";
import { cellsOf, type LoadSeries, meanOver, onGrid, type Period, valueAt } from "../src/load-series.js";
import { measureSite } from "../src/measure-site.js";
import { measuredPeriod } from "../src/measured-dispatch.js";
import { portfolioOf } from "../src/portfolio.js";
import { reboundOf } from "../src/rebound.js";
import { performanceOf, reductionOf } from "../src/reduction.js";
import { valuesIn } from "./support/load.js";
import { fixtures, NO_FIXTURES, readJson, readSeries, TOLERANCE } from "./support/vectors.js";

const expectNear = (actual: number | null | undefined, expected: number, name = "") =>
  expect(Math.abs((actual ?? Number.NaN) - expected), `${name}: ${actual}, not ${expected}`).toBeLessThanOrEqual(
    TOLERANCE,
  );

type Numbers = Readonly<Record<string, number>>;

const percent = (ratio: number | null): number | null => (ratio === null ? null : ratio * 100);

const p01 = async () => {
  interface Vector {
    readonly start: string;
    readonly end: string;
    readonly commitment_kw: number;
    readonly expected: Numbers & {
      readonly status_at: Readonly<Record<string, Readonly<Record<string, number | string>>>>;
      readonly five_minute_intervals: readonly (Numbers & { readonly interval_end: string })[];
      readonly snapback: Numbers;
    };
  }
  const vector = await readJson<Vector>("performance/p01_event.json");
  const [load, baseline] = await readSeries("performance/p01_event.csv");
  const period: Period = { startMs: Date.parse(vector.start), endMs: Date.parse(vector.end) };
  const commitmentKw = vector.commitment_kw;
  const task = { dispatch: { ...period, cancelledMs: null }, baseline, commitmentKw };
  return { expected: vector.expected, load, baseline, period, commitmentKw, task };
};

/** The load as it was known at an instant. */
const known = (load: LoadSeries, nowMs: number): LoadSeries => ({
  ...load,
  values: load.values.map((kw, index) => ((load.firstCell + index) * 30_000 <= nowMs ? kw : Number.NaN)),
});

const cellOf = (instant: string) => Date.parse(instant) / 30_000;

if (fixtures === undefined) test.skip(`the worked performances: ${NO_FIXTURES}`, () => {});
else {
  describe("the worked dispatch", () => {
    test.each(["30", "300", "660", "900", "1800"])("at %s s", async (seconds) => {
      const { expected, load, task } = await p01();
      const at = expected.status_at[seconds];
      if (at === undefined) throw new Error(`nothing is expected at ${seconds} s`);
      const nowMs = Date.parse(String(at["now"]));
      const loadByNow = known(load, nowMs);
      const site = measureSite(task, loadByNow, nowMs);
      const { latest, toDate } = site;
      expect(latest?.endMs).toBe(Date.parse(String(at["last_reading_end"])));
      const pairs: readonly [string, number | null | undefined][] = [
        ["instant_kw", latest?.loadKw],
        ["instant_baseline_kw", latest?.baselineKw],
        ["instant_target_kw", latest?.targetKw],
        ["instant_reduction_kw", latest?.reductionKw],
        ["instant_performance_pct", percent(latest?.performance ?? null)],
        ["event_to_date_mean_reduction_kw", toDate.meanReductionKw],
        ["event_to_date_performance_pct", percent(toDate.performance)],
        ["delivered_kwh", toDate.deliveredKwh],
        ["delivered_kwh_floored_at_zero", toDate.deliveredFlooredKwh],
        ["delivered_kwh_capped_at_commitment", toDate.deliveredCappedKwh],
        ["committed_kwh_to_date", toDate.committedKwh],
        ["cells_expected", toDate.cellsExpected],
        ["cells_present", toDate.cellsPresent],
        ["coverage", toDate.coverage],
      ];
      for (const [name, actual] of pairs) expectNear(actual, Number(at[name]), name);
    });

    test("every five minutes", async () => {
      const { expected, load, baseline, commitmentKw } = await p01();
      const reduction = reductionOf(load, baseline);
      for (const interval of expected.five_minute_intervals) {
        const endMs = Date.parse(interval.interval_end);
        const {
          meanKw,
          present,
          expected: count,
        } = meanOver(reduction, cellsOf({ startMs: endMs - 300_000, endMs }, 30));
        expectNear(meanKw, interval["mean_reduction_kw"] ?? 0);
        expectNear(percent(performanceOf(meanKw, commitmentKw)), interval["performance_pct"] ?? 0);
        expectNear(present / count, interval["coverage"] ?? 0);
      }
    });

    test("full curtailment, ramp and the share of time at commitment", async () => {
      const { expected, load, baseline, period, commitmentKw, task } = await p01();
      const site = measureSite(task, load, period.endMs);
      expectNear(site.secondsToFull, expected["seconds_to_full_curtailment"] ?? 0);
      expectNear(site.secondsToFullHeld, expected["seconds_to_full_curtailment_held_5min"] ?? 0);
      expectNear(site.rampKwPerMinute, expected["ramp_rate_kw_per_min"] ?? 0);
      expectNear(site.toDate.shareAtCommitment, expected["share_of_time_at_or_above_commitment"] ?? 0);
      const reduction = reductionOf(load, baseline);
      const range = cellsOf(period, 30);
      for (const share of [50, 90]) {
        const cell = firstReaching(reduction, range, (commitmentKw * share) / 100);
        expectNear(secondsUntilEndOf(cell ?? 0, period.startMs, 30), expected[`seconds_to_${share}pct`] ?? 0);
      }
      const filled = valuesIn(reduction, period).filter((kw) => !Number.isNaN(kw));
      expectNear(Math.max(...filled), expected["peak_reduction_kw"] ?? 0);
      const fullIndex = filled.findIndex((kw) => kw >= commitmentKw);
      expectNear(Math.min(...filled.slice(fullIndex)), expected["min_reduction_after_full_kw"] ?? 0);
      const before = { startMs: load.firstCell * 30_000 - 30_000, endMs: period.startMs };
      const early = meanOver(reduction, cellsOf(before, 30));
      expectNear((early.meanKw * early.present) / 120, expected["early_curtailment_kwh_before_start"] ?? 0);
    });

    test("rebound", async () => {
      const { expected, load, baseline, period, commitmentKw, task } = await p01();
      const { snapback } = expected;
      const rebound = reboundOf({ load, baseline }, period.endMs, snapback["window_seconds"]);
      expectNear(rebound.peakKw, snapback["peak_kw"] ?? 0);
      expectNear(percent(performanceOf(rebound.peakKw, commitmentKw)), snapback["peak_pct_of_commitment"] ?? 0);
      expectNear(percent(performanceOf(rebound.peakKw, rebound.peakBaselineKw)), snapback["peak_pct_of_baseline"] ?? 0);
      expectNear(rebound.energyKwh, snapback["rebound_kwh"] ?? 0);
      const { deliveredKwh } = measureSite(task, load, period.endMs).toDate;
      expectNear((deliveredKwh ?? 0) - (rebound.energyKwh ?? 0), snapback["net_kwh"] ?? 0);
      expectNear(rebound.secondsToBack, snapback["seconds_to_within_5pct_of_baseline"] ?? 0);
    });

    test("the cells that are said to be missing are gaps", async () => {
      const { load } = await p01();
      for (const instant of ["2026-06-01T18:10:30Z", "2026-06-01T18:11:00Z"]) {
        expect(valueAt(load, cellOf(instant))).toBeNaN();
      }
    });
  });

  test("the worked firm service level", async () => {
    interface Vector {
      readonly start: string;
      readonly end: string;
      readonly reference_load_kw: number;
      readonly firm_service_level_kw: number;
      readonly commitment_kw: number;
      readonly expected: Numbers & { readonly reduction_kw: readonly number[]; readonly complies: readonly boolean[] };
    }
    const vector = await readJson<Vector>("baseline/05_firm_service_level.json");
    const [load] = await readSeries("baseline/05_firm_service_level.csv");
    const period = { startMs: Date.parse(vector.start), endMs: Date.parse(vector.end) };
    const { expected, firm_service_level_kw: levelKw, commitment_kw: commitmentKw } = vector;
    const compliance = complianceOf(load, levelKw, period);
    expect(compliance.intervalsComplying).toBe(expected["intervals_complying"]);
    expect(compliance.intervalsPresent).toBe(expected["intervals"]);
    expectNear(compliance.excessKwh, expected["excess_over_fsl_kwh"] ?? 0);
    expect(compliance.secondsToCompliance).toBe(expected["seconds_to_full_curtailment"]);
    for (const [index, complies] of expected.complies.entries()) {
      const startMs = period.startMs + index * 300_000;
      const one = complianceOf(load, levelKw, { startMs, endMs: startMs + 300_000 });
      expect(one.intervalsComplying).toBe(complies ? 1 : 0);
    }
    const reference = { ...load, values: load.values.map(() => vector.reference_load_kw) };
    for (const [index, kw] of valuesIn(reductionOf(load, reference), period).entries()) {
      expectNear(kw, expected.reduction_kw[index] ?? Number.NaN);
    }
    const site = measureSite(
      { dispatch: { ...period, cancelledMs: null }, baseline: reference, commitmentKw },
      load,
      period.endMs,
    );
    expectNear(site.toDate.meanReductionKw, expected["mean_reduction_kw"] ?? 0);
    expectNear(percent(site.toDate.performance), expected["performance_pct"] ?? 0);
    expect(site.secondsToFull).toBe(expected["seconds_to_full_curtailment"]);
    expectNear(meanOver(load, cellsOf(period, 300)).meanKw, expected["mean_load_kw"] ?? 0);
    const settled = cellsOf({ ...period, startMs: period.startMs + 600_000 }, 300);
    const after = meanOver(reductionOf(load, reference), settled).meanKw;
    expectNear(percent(performanceOf(after, commitmentKw)), expected["performance_pct_excluding_first_10min"] ?? 0);
  });

  describe("the worked edge cases", () => {
    interface EdgeCase {
      readonly case: string;
      readonly commitment_kw?: number;
      readonly baseline_kw?: number;
      readonly reference_kw?: number;
      readonly firm_service_level_kw?: number;
      readonly load_kw?: number;
      readonly sites?: readonly { readonly commitment_kw: number; readonly reduction_kw: number }[];
      readonly cancelled_after_s?: number;
      readonly expected: Readonly<Record<string, number | string | boolean | null>>;
    }

    const startMs = Date.parse("2026-06-01T18:00:00Z");
    const endMs = startMs + 1_800_000;
    const flat = (kw: number): LoadSeries =>
      onGrid({ intervalSeconds: 3600, firstCell: startMs / 3_600_000 + 1, values: Float64Array.of(kw) }, 30);

    const expectLoadCase = (edge: EdgeCase, loadKw: number) => {
      const baselineKw = edge.baseline_kw ?? edge.reference_kw ?? Number.NaN;
      const commitmentKw = edge.commitment_kw ?? baselineKw - (edge.firm_service_level_kw ?? Number.NaN);
      const task = { dispatch: { startMs, endMs, cancelledMs: null }, baseline: flat(baselineKw), commitmentKw };
      const { toDate, latest } = measureSite(task, flat(loadKw), endMs);
      const shown: Record<string, number | boolean | null> = {
        reduction_kw: latest?.reductionKw ?? null,
        performance_pct: percent(toDate.performance),
        target_kw: latest?.targetKw ?? null,
        complies:
          complianceOf(flat(loadKw), edge.firm_service_level_kw ?? 0, { startMs, endMs }).intervalsComplying > 0,
        settlement_style_pct: percent(performanceOf(toDate.deliveredFlooredKwh, toDate.committedKwh)),
        capped_pct: percent(performanceOf(toDate.deliveredCappedKwh, toDate.committedKwh)),
      };
      const { note: _note, ...expected } = edge.expected;
      for (const [name, value] of Object.entries(expected)) {
        if (typeof value === "number") expectNear(Number(shown[name]), value, name);
        else expect(shown[name], name).toBe(value);
      }
    };

    const expectCase = (edge: EdgeCase) => {
      if (edge.load_kw !== undefined) return expectLoadCase(edge, edge.load_kw);
      if (edge.sites !== undefined) {
        const shares = edge.sites.map((site) => ({ commitmentKw: site.commitment_kw, reductionKw: site.reduction_kw }));
        return expectNear(percent(portfolioOf(shares).performance), Number(edge.expected["performance_pct"]));
      }
      if (edge.cancelled_after_s !== undefined) {
        const cancelledMs = startMs + edge.cancelled_after_s * 1000;
        const measured = measuredPeriod({ startMs, endMs, cancelledMs }, endMs);
        return expectNear((measured.endMs - measured.startMs) / 1000, Number(edge.expected["measured_window_seconds"]));
      }
      expect(edge.expected["measured_until"]).toBe("now");
      const nowMs = startMs + 420_000;
      expect(measuredPeriod({ startMs, endMs: null, cancelledMs: null }, nowMs)).toEqual({
        startMs,
        endMs: nowMs,
        isFinal: false,
      });
    };

    test("each of them", async () => {
      const edgeCases = await readJson<readonly EdgeCase[]>("performance/p02_edge_cases.json");
      expect(edgeCases.length).toBeGreaterThan(5);
      for (const edge of edgeCases) expectCase(edge);
    });
  });
}
