import { operator } from "@curtail/contract";
import { beforeAll, describe, expect, test } from "vitest";
import { expectError } from "../../support/expect-error.js";
import { dispatchBetween, meanOfDays, performanceOf, sitePerformanceOf } from "../../support/measuring.js";
import {
  curtailed,
  END,
  FIRST,
  LATER,
  type Load,
  measured,
  namesOf,
  prepare,
  START,
  service,
} from "../../support/rules-of-measurement.js";

beforeAll(prepare);

describe("M1: a site is measured by", () => {
  const meters = { grid: "poi", solar: "generator", battery: "battery" } as const;
  // The battery gives 87 kW, which the point of interconnection shows, too.
  const loads: readonly Load[] = [
    ["grid", FIRST, "2026-06-10T20:00:00Z", curtailed(500, 87)],
    ["solar", FIRST, "2026-06-10T20:00:00Z", () => -100],
    ["battery", FIRST, "2026-06-10T20:00:00Z", curtailed(0, 87)],
  ];
  const program = { baseline: meanOfDays(3), commitment: 100 };

  test("its point of interconnection, which holds the rest already", async () => {
    const { siteId, programId, load } = await measured(meters, program);
    await load(...loads);
    const id = await dispatchBetween(service, programId, [START, END]);
    const { site, meters: by } = await sitePerformanceOf(service, id, siteId);
    expect(site.performance).toBeCloseTo(0.87, 9);
    expect(namesOf(by.summed)).toEqual(["grid"]);
    expect(by.left_out).toEqual([
      { meter_id: expect.any(String), name: "solar", reason: "behind_poi" },
      { meter_id: expect.any(String), name: "battery", reason: "behind_poi" },
    ]);
  });

  test("the sum of its meters where it has no point of interconnection", async () => {
    const { siteId, programId, load } = await measured({ hall: "load", solar: "generator" }, program);
    await load(["hall", FIRST, LATER, curtailed(500, 87)], ["solar", FIRST, LATER, () => -100]);
    const id = await dispatchBetween(service, programId, [START, END]);
    const { site, meters: by } = await sitePerformanceOf(service, id, siteId);
    expect(site).toMatchObject({ latest: { load_kw: 313, baseline_kw: 400 } });
    expect(namesOf(by.summed)).toEqual(["hall", "solar"]);
  });

  test("the meters that the operator names, from the next dispatch on", async () => {
    const { siteId, programId, load, meterOf } = await measured(meters, program);
    await load(...loads);
    const change = (measured_meters: string[] | null) =>
      service.operator(operator.changeSite, { params: { id: siteId }, body: { measured_meters } });
    const before = await dispatchBetween(service, programId, [START, END]);
    expect((await change([meterOf("battery")])).body).toMatchObject({ measured_meters: [meterOf("battery")] });
    await service.made(operator.changeDispatch, {
      params: { id: before },
      body: { authorized: false, void_reason: "recorded twice" },
    });
    const id = await dispatchBetween(service, programId, [START, END]);
    const { site, meters: by } = await sitePerformanceOf(service, id, siteId);
    expect(site).toMatchObject({ latest: { load_kw: -87, baseline_kw: 0 } });
    expect(by.left_out[0]).toMatchObject({ name: "grid", reason: "not_named" });
    expectError(await change(["mtr_0"]), 400, /measured_meters names "?mtr_0"?, which is not a meter of this site/);
    expectError(await change([]), 400, /measured_meters/);
    expect((await change(null)).body).toMatchObject({ measured_meters: null });
  });
});

test("M5: days with operators' tests are left out, unless the program says otherwise", async () => {
  const { siteId, programId, load } = await measured({ main: "load" }, { baseline: meanOfDays(3) });
  await load(["main", FIRST, LATER, () => 100]);
  await dispatchBetween(service, programId, ["2026-06-09T12:00:00Z", "2026-06-09T13:00:00Z"], { test: true });
  const dropped = async () => {
    const id = await dispatchBetween(service, programId, [START, END]);
    const { explanation } = await sitePerformanceOf(service, id, siteId);
    return explanation.dropped.map(({ date }: { date: string }) => date);
  };
  expect(await dropped()).toEqual(["2026-06-09"]);
  await service.made(operator.changeProgram, { params: { id: programId }, body: { tests_are_events: false } });
  expect(await dropped()).toEqual([]);
});

test("M10: without a reading nothing is known of what was delivered, neither of the site nor in the sums", async () => {
  const { programId } = await measured({ main: "load" }, { baseline: { method: { kind: "flat", kw: 100 } } });
  const { sites, totals } = await performanceOf(service, await dispatchBetween(service, programId, [START, END]));
  const unknown = { delivered_energy_kwh: null, delivered_energy_floored_kwh: null, delivered_energy_capped_kwh: null };
  expect(sites[0]).toMatchObject({ ...unknown, rebound: { energy_kwh: null, peak_kw: null } });
  expect(totals).toMatchObject({ ...unknown, committed_energy_kwh: 300 });
});
