import { operator } from "@curtail/contract";
import { beforeAll, describe, expect, test } from "vitest";
import { dispatchBetween, meanOfDays, performanceOf, sitePerformanceOf, untilLooked } from "../../support/measuring.js";
import {
  at,
  curtailed,
  END,
  FIRST,
  kwAt,
  LATER,
  type Load,
  measured,
  namesOf,
  prepare,
  START,
  service,
} from "../../support/rules-of-measurement.js";

beforeAll(prepare);

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

const droppedDays = async (id: string, siteId: string): Promise<string[]> => {
  const { explanation } = await sitePerformanceOf(service, id, siteId);
  return explanation.dropped
    .filter(({ reason }: { reason: string }) => reason === "event_day")
    .map(({ date }: { date: string }) => date);
};

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
