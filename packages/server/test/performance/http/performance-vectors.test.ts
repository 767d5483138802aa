import { readFile } from "node:fs/promises";
import { beforeAll, describe, expect, test } from "vitest";
import {
  dispatchBetween,
  type Interval,
  measuredProgram,
  performanceOf,
  sitePerformanceOf,
  uploadIntervals,
} from "../../support/measuring.js";
import { firstOf } from "../../support/metering.js";
import { type Participant, type Running, running } from "../../support/running.js";

// Worked examples with exact arithmetic, through the running service: readings uploaded, dispatch created, result read.
const fixtures = process.env["TEST_FIXTURES"];
const TOLERANCE = 1e-5;

const readJson = async (path: string) => JSON.parse(await readFile(`${fixtures}/vectors/${path}`, "utf8"));

/** The rows of a CSV by one of its value columns; an empty field is a gap. */
const readRows = async (path: string, column = 2, shiftMs = 0): Promise<Interval[]> => {
  const text = await readFile(`${fixtures}/vectors/${path}`, "utf8");
  const rows = text
    .trim()
    .split("\n")
    .slice(1)
    .map((line) => line.trim().split(","))
    .filter((row) => row[column] !== "");
  return rows.map((row) => ({
    endMs: Date.parse(row[0] ?? "") + shiftMs,
    seconds: Number(row[1]),
    kw: Number(row[column]),
  }));
};

const expectNear = (actual: number | null | undefined, expected: number | undefined, what = "") =>
  expect(Math.abs((actual ?? Number.NaN) - (expected ?? Number.NaN)), `${what}: ${actual}`).toBeLessThanOrEqual(
    TOLERANCE,
  );

describe.skipIf(fixtures === undefined)("worked examples through the service (needs TEST_FIXTURES)", () => {
  let service: Running;
  let anna: Participant;
  beforeAll(async () => {
    service = await running();
    anna = await service.newParticipant({ sites: [["main"], ["main"], ["main"], ["main"]] });
  });

  const placeOf = (index: number) => ({
    siteId: anna.sites[index]?.id ?? "",
    meterId: anna.sites[index]?.meters[0] ?? "",
  });

  test("high 4 of 5: the days, the adjustment, the curve and the performance", async () => {
    service.clock.set(new Date("2026-07-17T00:00:00Z"));
    const { siteId, meterId } = firstOf(anna);
    const { expected } = await readJson("baseline/01_high4of5_additive.json");
    await uploadIntervals(anna, meterId, await readRows("baseline/01_high4of5_additive.csv"));
    const program = await measuredProgram(service, [anna], {
      timezone: "America/New_York",
      baseline: { preset: "high_4_of_5" },
      holidays: ["2026-07-03"],
      commitment: expected.commitment_kw,
    });
    const called = { sites: [{ site_id: siteId }] };
    await dispatchBetween(service, program, ["2026-07-10T18:00:00Z", "2026-07-10T22:00:00Z"], called);
    const id = await dispatchBetween(service, program, ["2026-07-15T18:00:00Z", "2026-07-15T22:00:00Z"], called);
    const { site, explanation, curve } = await sitePerformanceOf(service, id, siteId);

    expect(explanation.chosen).toEqual(expected.selected_days);
    expect(explanation.pool.map((day: { date: string }) => day.date)).toEqual(expected.basis_days);
    expect(explanation.dropped).toContainEqual(expect.objectContaining({ date: "2026-07-10", reason: "event_day" }));
    expect(explanation.dropped).toContainEqual(expect.objectContaining({ date: "2026-07-08", reason: "low_usage" }));
    expectNear(explanation.adjustment.applied, expected.adjustment_kw);
    expectNear(site.mean_reduction_kw, expected.mean_reduction_kw);
    expectNear(site.performance * 100, expected.performance_pct);
    for (const [hour, kw] of expected.adjusted_kw.entries()) {
      const label = new Date(Date.parse("2026-07-15T18:30:00Z") + hour * 3_600_000).toISOString().replace(".000", "");
      const cell = curve.find(({ timestamp }: { timestamp: string }) => timestamp === label);
      expectNear(cell?.baseline_kw, kw);
      expectNear(cell?.unadjusted_kw, expected.unadjusted_kw[hour]);
      expectNear(cell?.load_kw, expected.actual_kw[hour]);
    }
  });

  test("10 of 10 with a ratio within its bounds", async () => {
    service.clock.set(new Date("2026-09-12T00:00:00Z"));
    const { siteId, meterId } = placeOf(1);
    const { cases } = await readJson("baseline/03_10of10_mult20.json");
    for (const name of ["above_cap", "below_cap"]) {
      const { input, expected } = cases.find((each: { name: string }) => each.name === name);
      await uploadIntervals(anna, meterId, await readRows(`baseline/${input}`));
      const program = await measuredProgram(service, [anna], {
        timezone: "America/Los_Angeles",
        baseline: { preset: "ten_of_ten" },
        holidays: ["2026-09-07"],
        commitment: expected.commitment_kw,
      });
      const called = { sites: [{ site_id: siteId }] };
      if (name === "above_cap") {
        await dispatchBetween(service, program, ["2026-09-01T23:00:00Z", "2026-09-02T03:00:00Z"], called);
        await dispatchBetween(service, program, ["2026-09-02T23:00:00Z", "2026-09-03T03:00:00Z"], called);
      }
      const id = await dispatchBetween(service, program, ["2026-09-10T23:00:00Z", "2026-09-11T03:00:00Z"], called);
      const { site, explanation } = await sitePerformanceOf(service, id, siteId);
      expect(explanation.chosen).toEqual(expected.selected_days);
      expectNear(explanation.adjustment.raw, expected.raw_ratio, name);
      expectNear(explanation.adjustment.applied, expected.applied_ratio, name);
      expectNear(site.mean_reduction_kw, expected.mean_reduction_kw, name);
    }
  });

  test("meter before, counted back from the start and from the notification", async () => {
    const later = new Date("2026-06-02T00:00:00Z");
    service.clock.set(later);
    const { siteId, meterId } = placeOf(2);
    const vector = await readJson("baseline/04_mbma.json");
    await uploadIntervals(anna, meterId, await readRows("baseline/04_mbma.csv"));
    const variants = [
      ["a", { kind: "meter_before", seconds: 300, anchor: "notification" }],
      ["b", { kind: "meter_before", seconds: 900, anchor: "start" }],
    ] as const;
    for (const [name, method] of variants) {
      // Nobody is notified of a dispatch that is created after its end (G61).
      service.clock.set(new Date(vector.notification));
      const program = await measuredProgram(service, [anna], {
        baseline: { method },
        commitment: vector.commitment_kw,
      });
      const id = await dispatchBetween(service, program, [vector.start, vector.end], {
        notification_time: vector.notification,
        sites: [{ site_id: siteId }],
      });
      service.clock.set(later);
      const { sites } = await performanceOf(service, id);
      expectNear(sites[0]?.mean_reduction_kw, vector.expected[`variant_${name}_mean_reduction_kw`], name);
      expectNear(sites[0]?.performance * 100, vector.expected[`variant_${name}_performance_pct`], name);
    }
  });

  test("the worked dispatch at every moment that it is worked out for", async () => {
    const { siteId, meterId } = placeOf(3);
    const vector = await readJson("performance/p01_event.json");
    service.clock.set(new Date("2026-06-01T17:00:00Z"));
    // The baseline is the load of the previous Friday, so it is uploaded there.
    const friday = -3 * 86_400_000;
    await uploadIntervals(anna, meterId, await readRows("performance/p01_event.csv", 3, friday));
    const pool = {
      day_types: ["weekday"],
      lookback_days: 5,
      days: 1,
      min_days: 1,
      exclude: { event: false, incomplete: false, low_usage: null },
    };
    const method = {
      kind: "days",
      interval_seconds: 300,
      rules: [{ pool, pick: { kind: "all" } }],
      average: { kind: "mean" },
      adjust: { kind: "none" },
      allow_negative: true,
      fallback: null,
    };
    const program = await measuredProgram(service, [anna], { baseline: { method }, commitment: vector.commitment_kw });
    const id = await dispatchBetween(service, program, [vector.start, vector.end], { sites: [{ site_id: siteId }] });
    const rows = await readRows("performance/p01_event.csv");
    let uploaded = 0;
    for (const each of Object.values<Record<string, string & number>>(vector.expected.status_at)) {
      service.clock.set(new Date(each["now"] ?? ""));
      const due = rows.filter(({ endMs }) => endMs <= Date.parse(each["last_reading_end"] ?? ""));
      await uploadIntervals(anna, meterId, due.slice(uploaded));
      uploaded = due.length;
      await expect
        .poll(async () => (await performanceOf(service, id)).sites[0]?.cells_present)
        .toBe(each["cells_present"]);
      const [site] = (await performanceOf(service, id)).sites;
      const now = each["now"];
      expect(site?.cells_expected, now).toBe(each["cells_expected"]);
      expectNear(site?.latest?.load_kw, each["instant_kw"], now);
      expectNear(site?.latest?.target_kw, each["instant_target_kw"], now);
      expectNear(site?.latest?.performance * 100, each["instant_performance_pct"], now);
      expectNear(site?.mean_reduction_kw, each["event_to_date_mean_reduction_kw"], now);
      expectNear(site?.performance * 100, each["event_to_date_performance_pct"], now);
      expectNear(site?.delivered_energy_kwh, each["delivered_kwh"], now);
      expectNear(site?.delivered_energy_floored_kwh, each["delivered_kwh_floored_at_zero"], now);
      expectNear(site?.delivered_energy_capped_kwh, each["delivered_kwh_capped_at_commitment"], now);
      expectNear(site?.committed_energy_kwh, each["committed_kwh_to_date"], now);
      expectNear(site?.coverage, each["coverage"], now);
    }
  });
});
