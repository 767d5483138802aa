import { type BodyOf, operator } from "@curtail/contract";
import { beforeAll, describe, expect, test } from "vitest";
import { expectError } from "../../support/expect-error.js";
import {
  dispatchBetween,
  intervalsBetween,
  type MeasuredProgram,
  meanOfDays,
  measuredProgram,
  performanceOf,
  sitePerformanceOf,
  untilLooked,
  uploadIntervals,
} from "../../support/measuring.js";
import { type Participant, type Running, running } from "../../support/running.js";

// Which meters and which days a result is measured by: the rules M1, M2, M5, M6, M10 and M12.
let service: Running;

beforeAll(async () => {
  service = await running();
});

const START = "2026-06-10T18:00:00Z";
const END = "2026-06-10T19:00:00Z";
const LATER = "2026-06-10T20:03:00Z";
const FIRST = "2026-06-05T00:00:00Z";
const at = (time: string): void => service.clock.set(new Date(time));

type AssetType = NonNullable<BodyOf<typeof operator.createMeter>["asset_type"]>;
type Load = readonly [meter: string, from: string, to: string, kwAt: (endMs: number) => number];

interface Measured {
  readonly participant: Participant;
  readonly siteId: string;
  readonly programId: string;
  readonly meterOf: (name: string) => string;
  readonly load: (...loads: readonly Load[]) => Promise<void>;
}

/** A site with meters of some types, and a program that measures it. */
const measured = async (meters: Readonly<Record<string, AssetType>>, program: MeasuredProgram): Promise<Measured> => {
  at(LATER);
  const names = Object.keys(meters);
  const participant = await service.newParticipant({ sites: [names] });
  const site = participant.sites[0];
  const meterOf = (name: string): string => site?.meters[names.indexOf(name)] ?? "";
  for (const [name, asset_type] of Object.entries(meters))
    await service.made(operator.changeMeter, { params: { id: meterOf(name) }, body: { asset_type } });
  return {
    participant,
    siteId: site?.id ?? "",
    programId: await measuredProgram(service, [participant], program),
    meterOf,
    async load(...loads) {
      for (const [name, from, to, kwAt] of loads)
        await uploadIntervals(participant, meterOf(name), intervalsBetween([from, to], 300, kwAt));
    },
  };
};

/** So many kW, and so many less during the dispatch. */
const curtailed =
  (kw: number, lessKw = 0) =>
  (endMs: number): number =>
    endMs > Date.parse(START) && endMs <= Date.parse(END) ? kw - lessKw : kw;

const namesOf = (meters: ReadonlyArray<{ readonly name: string }>): string[] => meters.map(({ name }) => name);

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

describe("M2: a meter that reports", () => {
  const program = { baseline: meanOfDays(3), commitment: 50 };
  const main: Load = ["main", FIRST, "2026-06-10T20:00:00Z", curtailed(200, 50)];

  test.each([
    ["in the clock hour of the start, before it", "2026-06-10T17:55:00Z", "younger_than_look_back"],
    ["in the minute after the start", "2026-06-10T18:01:00Z", "silent"],
  ])("for the first time %s takes no baseline away", async (_when, from, reason) => {
    const late = new Date(Date.parse(START) + 120_000).toISOString();
    const { siteId, programId, load } = await measured({ main: "load", annex: "load" }, program);
    await load(main, ["annex", from, "2026-06-10T20:01:00Z", () => 20]);
    // The start lies within an hour.
    const id = await dispatchBetween(service, programId, [from > START ? START : late, END]);
    const { site, meters: by } = await sitePerformanceOf(service, id, siteId);
    expect(site).toMatchObject({ baseline: "found", coverage: 1, performance: 1, latest: { load_kw: 150 } });
    expect(namesOf(by.summed)).toEqual(["main"]);
    expect(by.left_out).toEqual([{ meter_id: expect.any(String), name: "annex", reason }]);
  });

  test("by one reading only does not take the coverage away, either", async () => {
    const { siteId, programId, load } = await measured({ main: "load", annex: "load" }, program);
    await load(main, ["annex", "2026-06-10T12:00:00Z", "2026-06-10T12:05:00Z", () => 20]);
    const id = await dispatchBetween(service, programId, [START, END]);
    const { site } = await sitePerformanceOf(service, id, siteId);
    expect(site).toMatchObject({ baseline: "found", coverage: 1, mean_reduction_kw: 50 });
  });

  test("no more in the seven days before the start is left out, and the rest keeps its coverage", async () => {
    const { siteId, programId, load } = await measured({ main: "load", old: "load" }, program);
    await load(main, ["old", "2026-05-20T00:00:00Z", "2026-06-03T18:00:00Z", () => 20]);
    const id = await dispatchBetween(service, programId, [START, END]);
    const { site, meters: by } = await sitePerformanceOf(service, id, siteId);
    expect(site).toMatchObject({ coverage: 1, performance: 1 });
    expect(by.left_out).toMatchObject([{ name: "old", reason: "silent" }]);
    // A reading that ends a second inside the seven days makes it report: its gaps are gaps of the site then.
    const early = await dispatchBetween(service, programId, ["2026-06-10T17:59:30Z", END]);
    expect((await sitePerformanceOf(service, early, siteId)).site).toMatchObject({ coverage: 0 });
  });

  test("since before the days that the baseline uses counts, though it is younger than the longest look-back", async () => {
    const { siteId, programId, load } = await measured({ main: "load", annex: "load" }, program);
    await load(
      ["main", "2026-05-30T00:00:00Z", "2026-06-10T20:00:00Z", curtailed(200, 50)],
      ["annex", "2026-06-07T00:00:00Z", "2026-06-10T20:00:00Z", curtailed(30, 10)],
    );
    const id = await dispatchBetween(service, programId, [START, END]);
    const { site, meters: by } = await sitePerformanceOf(service, id, siteId);
    expect(namesOf(by.summed)).toEqual(["main", "annex"]);
    expect(site).toMatchObject({ mean_reduction_kw: 60, latest: { load_kw: 170, baseline_kw: 230 } });
  });

  test("since within those days is left out of load and baseline alike", async () => {
    const { siteId, programId, load } = await measured({ main: "load", annex: "load" }, program);
    await load(main, ["annex", "2026-06-08T00:00:00Z", "2026-06-10T20:00:00Z", curtailed(30, 10)]);
    const id = await dispatchBetween(service, programId, [START, END]);
    const { site, meters: by } = await sitePerformanceOf(service, id, siteId);
    expect(by.left_out).toMatchObject([{ name: "annex", reason: "younger_than_look_back" }]);
    expect(site).toMatchObject({ mean_reduction_kw: 50, latest: { load_kw: 150, baseline_kw: 200 } });
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

const droppedDays = async (id: string, siteId: string): Promise<string[]> => {
  const { explanation } = await sitePerformanceOf(service, id, siteId);
  return explanation.dropped
    .filter(({ reason }: { reason: string }) => reason === "event_day")
    .map(({ date }: { date: string }) => date);
};

/** Twice the load on the day before the dispatch. */
const kwAt = (endMs: number): number => (new Date(endMs - 1).getUTCDate() === 9 ? 200 : 100);

describe("M6: days with events that change", () => {
  const program = { baseline: meanOfDays(3), commitment: 50 };
  const dayBefore = ["2026-06-09T12:00:00Z", "2026-06-09T13:00:00Z"] as const;
  test("are followed by live results, whoever recorded, changed or voided the other dispatch", async () => {
    const { siteId, programId, load } = await measured({ main: "load" }, program);
    await load(["main", FIRST, "2026-06-10T18:10:00Z", kwAt]);
    at("2026-06-10T18:10:00Z");
    const id = await dispatchBetween(service, programId, [START, END]);
    const baselineKw = async () => (await sitePerformanceOf(service, id, siteId)).site.latest.baseline_kw;
    expect(await baselineKw()).toBeCloseTo(400 / 3, 9);
    const other = await dispatchBetween(service, programId, dayBefore);
    await untilLooked(service, async () => (await baselineKw()) === 100);
    expect(await droppedDays(id, siteId)).toEqual(["2026-06-09"]);
    await service.made(operator.changeDispatch, {
      params: { id: other },
      body: { authorized: false, void_reason: "recorded by mistake" },
    });
    await untilLooked(service, async () => (await droppedDays(id, siteId)).length === 0);
    expect(await baselineKw()).toBeCloseTo(400 / 3, 9);
  });

  test("are followed by a dispatch that has not begun, too", async () => {
    const { method } = meanOfDays(3);
    const window = { anchor: "start", from_minutes_before: 240, to_minutes_before: 60 };
    const adjust = { kind: "additive", window, lowest: null, highest: null };
    const { siteId, programId, load } = await measured(
      { main: "load" },
      { baseline: { method: { ...method, adjust } } },
    );
    await load(["main", FIRST, "2026-06-10T12:00:00Z", kwAt]);
    at("2026-06-10T12:00:00Z");
    const id = await dispatchBetween(service, programId, [START, END]);
    const movedHours = async () => (await sitePerformanceOf(service, id, siteId)).explanation.adjustment.moved_hours;
    expect(await movedHours()).toBe(0);
    await dispatchBetween(service, programId, ["2026-06-10T13:00:00Z", "2026-06-10T14:00:00Z"]);
    await untilLooked(service, async () => (await movedHours()) === 4);
  });

  test("give a final result a new version of that reason, and the old one stays", async () => {
    const { siteId, programId, load } = await measured({ main: "load" }, program);
    await load(["main", FIRST, "2026-06-10T20:00:00Z", kwAt]);
    at(LATER);
    const id = await dispatchBetween(service, programId, [START, END]);
    const versions = async () => (await performanceOf(service, id)).versions;
    await untilLooked(service, async () => (await versions()).length === 1);
    await dispatchBetween(service, programId, dayBefore);
    await untilLooked(service, async () => (await versions()).length === 2);
    expect(await versions()).toMatchObject([{ reason: "complete" }, { reason: "event_days" }]);
    expect(await droppedDays(id, siteId)).toEqual(["2026-06-09"]);
    const first = await service.made(operator.getAnySitePerformance, {
      params: { id, site_id: siteId },
      query: { version: 1 },
    });
    expect(first.site.mean_reduction_kw).toBeCloseTo(100 / 3, 9);
  });

  test("do not matter where the other dispatch comes later, or is a participant's own test", async () => {
    const { siteId, programId, load } = await measured({ main: "load" }, program);
    await load(["main", FIRST, "2026-06-10T20:00:00Z", kwAt]);
    at(LATER);
    const id = await dispatchBetween(service, programId, [START, END]);
    await untilLooked(service, async () => (await performanceOf(service, id)).versions.length === 1);
    await dispatchBetween(service, programId, ["2026-06-10T19:30:00Z", "2026-06-10T19:45:00Z"]);
    for (let looks = 0; looks < 5; looks++) {
      service.clock.advance({ seconds: 30 });
      await performanceOf(service, id);
    }
    expect((await performanceOf(service, id)).versions).toHaveLength(1);
    expect(await droppedDays(id, siteId)).toEqual([]);
  });

  test("a result that is first looked at long after the dispatch is kept as version 1", async () => {
    const { programId, load } = await measured({ main: "load" }, program);
    await load(["main", FIRST, "2026-06-10T20:00:00Z", kwAt]);
    at("2026-07-20T12:00:00Z");
    const id = await dispatchBetween(service, programId, [START, END]);
    await untilLooked(service, async () => (await performanceOf(service, id)).versions.length === 1);
    expect(await performanceOf(service, id)).toMatchObject({ state: "final", versions: [{ reason: "complete" }] });
  });
});

test("M10: without a reading nothing is known of what was delivered, neither of the site nor in the sums", async () => {
  const { programId } = await measured({ main: "load" }, { baseline: { method: { kind: "flat", kw: 100 } } });
  const { sites, totals } = await performanceOf(service, await dispatchBetween(service, programId, [START, END]));
  const unknown = { delivered_energy_kwh: null, delivered_energy_floored_kwh: null, delivered_energy_capped_kwh: null };
  expect(sites[0]).toMatchObject({ ...unknown, rebound: { energy_kwh: null, peak_kw: null } });
  expect(totals).toMatchObject({ ...unknown, committed_energy_kwh: 300 });
});

test("M10: times are whole seconds, and energy is committed to the second", async () => {
  const { programId, load } = await measured(
    { main: "load" },
    { baseline: { method: { kind: "flat", kw: 100 } }, commitment: 36 },
  );
  await load(["main", "2026-06-10T17:00:00Z", "2026-06-10T20:00:00Z", () => 50]);
  const id = await dispatchBetween(service, programId, ["2026-06-10T18:00:10.700Z", "2026-06-10T18:59:50.200Z"]);
  const { sites } = await performanceOf(service, id);
  // From 18:00:10 to 18:59:50 are 3580 seconds.
  expect(sites[0]).toMatchObject({ time_to_full_seconds: 20, committed_energy_kwh: 35.8 });
});

describe("M12: under a firm service level", () => {
  const level = { kind: "firm_service_level", level_kw: 60, reference_kw: null };

  test.each([
    [60, 60, { colour: "green", words: "at or below the firm service level" }],
    [61, 61, { colour: "red", words: "above the firm service level" }],
    [61, 50, { colour: "amber", words: "at times above the firm service level" }],
  ])("compliance is the status, without any baseline: %s kW, then %s kW", async (early, late, status) => {
    const { programId, load } = await measured({ main: "load" }, { baseline: { method: level }, commitment: null });
    const levelKwAt = (endMs: number) => (endMs <= Date.parse(START) + 600_000 ? early : late);
    await load(["main", START, "2026-06-10T20:00:00Z", levelKwAt]);
    const { sites } = await performanceOf(service, await dispatchBetween(service, programId, [START, END]));
    expect(sites[0]).toMatchObject({ status, baseline: "none", performance: null, cells_present: 120, coverage: 1 });
  });
});
