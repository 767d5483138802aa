import { createTestDispatch, getDispatchPerformance, operator } from "@curtail/contract";
import { beforeAll, describe, expect, test } from "vitest";
import {
  anna,
  END,
  flat,
  given,
  LATER,
  measuredId,
  prepare,
  prepareCurves,
  START,
  sameDay,
  service,
  siteId,
} from "../../support/cases-of-measuring.js";
import { expectError } from "../../support/expect-error.js";
import {
  dispatchBetween,
  intervalsBetween,
  meanOfDays,
  measuredProgram,
  performanceOf,
  sitePerformanceOf,
  uploadIntervals,
} from "../../support/measuring.js";
import { firstOf } from "../../support/metering.js";

beforeAll(prepare);

/** Load that encodes the UTC hour it belongs to. */
const byHour = (endMs: number): number => 100 + new Date(endMs - 1).getUTCHours();

describe("days that have 23 or 25 hours", () => {
  test.each([
    // The clocks of New York go forward on 8 March and back on 1 November 2026.
    ["23", "2026-03-05T05:00:00Z", "2026-03-09T04:00:00Z", ["2026-03-09T06:00:00Z", "2026-03-09T08:00:00Z"]],
    ["25", "2026-10-29T04:00:00Z", "2026-11-02T05:00:00Z", ["2026-11-02T06:00:00Z", "2026-11-02T08:00:00Z"]],
  ] as const)(
    "of %s hours are whole, and are averaged by the local clock",
    async (hours, from, midnight, [start, end]) => {
      const { siteId, programId } = await given({
        program: { timezone: "America/New_York", baseline: meanOfDays(3) },
        at: end,
        loads: [[from, end, byHour]],
      });
      const id = await dispatchBetween(service, programId, [start, end]);
      const { explanation, curve } = await sitePerformanceOf(service, id, siteId);
      expect(explanation.dropped).toEqual([]);
      expect(explanation.pool).toHaveLength(3);
      expect(explanation.pool[0]).toMatchObject({ missing_intervals: 0 });
      // One o'clock local: six UTC in winter, five in summer; twice on the day of 25 hours, where both are averaged.
      const at = new Date(Date.parse(midnight) + 90 * 60_000).toISOString().replace(".000", "");
      const cell = curve.find(({ timestamp }: { timestamp: string }) => timestamp === at);
      const expected = hours === "23" ? 106 : ((105 + 106) / 2 + 105 + 105) / 3;
      expect(cell?.baseline_kw).toBeCloseTo(expected, 9);
    },
  );
});

describe("a gap", () => {
  test("of one of a site's meters is a gap of the site", async () => {
    const { programId } = await given({
      program: { baseline: flat(100), commitment: 40 },
      at: LATER,
      meters: ["main", "annex"],
      loads: [
        ["2026-06-10T17:00:00Z", END, () => 50, 0],
        ["2026-06-10T17:00:00Z", "2026-06-10T18:30:00Z", () => 20, 1],
      ],
    });
    const { sites } = await performanceOf(service, await dispatchBetween(service, programId, [START, END]));
    expect(sites[0]).toMatchObject({ cells_present: 60, latest: { timestamp: "2026-06-10T18:30:00Z", load_kw: 70 } });
  });

  test("in the look-back leaves the day out, and too few days give no baseline with the reason", async () => {
    const { siteId, programId } = await given({
      program: { baseline: meanOfDays(3) },
      at: LATER,
      enrolledAt: "2026-05-01T00:00:00Z",
      loads: [
        ["2026-06-07T00:00:00Z", "2026-06-08T18:00:00Z", () => 80],
        ["2026-06-08T20:00:00Z", END, () => 80],
      ],
    });
    const id = await dispatchBetween(service, programId, [START, END]);
    const { site, explanation } = await sitePerformanceOf(service, id, siteId);
    expect(site).toMatchObject({
      baseline: "none",
      baseline_reason: "2 usable days in the preceding 10 days; the method needs 3",
      mean_reduction_kw: null,
      performance: null,
      status: { colour: "grey", words: "no baseline" },
      latest: { load_kw: 80, baseline_kw: null, reduction_kw: null },
    });
    expect(explanation.dropped).toContainEqual({
      date: "2026-06-08",
      reason: "incomplete",
      why: "2 of 3 intervals of the hours that are used have no readings",
      dispatches: [],
    });
  });
});

test("a day with another dispatch is left out of the look-back; one cancelled before it started is not", async () => {
  const { siteId, programId } = await given({
    program: { baseline: meanOfDays(3) },
    at: "2026-06-08T08:00:00Z",
    loads: [["2026-06-05T00:00:00Z", "2026-06-08T08:00:00Z", byHour]],
  });
  const other = await dispatchBetween(service, programId, ["2026-06-08T09:00:00Z", "2026-06-08T10:00:00Z"]);
  const cancelled = await dispatchBetween(service, programId, ["2026-06-09T09:00:00Z", "2026-06-09T10:00:00Z"]);
  await service.made(operator.changeDispatch, { params: { id: cancelled }, body: { authorized: false } });
  service.clock.set(new Date(LATER));
  const id = await dispatchBetween(service, programId, [START, END]);
  const { explanation } = await sitePerformanceOf(service, id, siteId);
  expect(explanation.dropped.filter((day: { reason: string }) => day.reason === "event_day")).toEqual([
    {
      date: "2026-06-08",
      reason: "event_day",
      why: "another dispatch took place on this day",
      dispatches: [other],
    },
  ]);
  expect((await performanceOf(service, cancelled)).state).toBe("cancelled");
});

test("M5: a participant's own test leaves its day in the look-back, and moves no window", async () => {
  const { participant, siteId, programId } = await given({
    program: { baseline: { method: { ...meanOfDays(3).method, adjust: sameDay } } },
    at: "2026-06-08T08:00:00Z",
    loads: [["2026-06-05T00:00:00Z", "2026-06-08T08:00:00Z", byHour]],
  });
  for (const day of ["08", "09", "10"]) {
    service.clock.set(new Date(`2026-06-${day}T14:00:00Z`));
    const body = { start_time: `2026-06-${day}T14:30:00Z`, end_time: `2026-06-${day}T14:30:30Z` };
    expect((await participant.call(createTestDispatch, { body })).status).toBe(200);
  }
  service.clock.set(new Date(LATER));
  await uploadIntervals(
    participant,
    firstOf(participant).meterId,
    intervalsBetween(["2026-06-08T08:00:00Z", START], 300, byHour),
  );
  const id = await dispatchBetween(service, programId, [START, END]);
  const { explanation } = await sitePerformanceOf(service, id, siteId);
  expect(explanation.dropped).toEqual([]);
  expect(explanation.pool.map(({ date }: { date: string }) => date)).toEqual([
    "2026-06-09",
    "2026-06-08",
    "2026-06-07",
  ]);
  expect(explanation.adjustment).toMatchObject({ window_start: "2026-06-10T14:00:00Z", moved_hours: 0 });
});

test("export stays negative: a generating site reduces by exporting more", async () => {
  const { programId } = await given({
    program: { baseline: flat(-20), commitment: 30 },
    at: LATER,
    loads: [["2026-06-10T17:00:00Z", END, (endMs) => (endMs > Date.parse(START) ? -50 : -20)]],
  });
  const { sites } = await performanceOf(service, await dispatchBetween(service, programId, [START, END]));
  expect(sites[0]).toMatchObject({
    latest: { load_kw: -50, baseline_kw: -20, target_kw: -50, reduction_kw: 30 },
    performance: 1,
    status: { colour: "green" },
    time_to_full_seconds: 30,
  });
});

test("an open-ended dispatch is measured until now, and its baseline stays provisional", async () => {
  const { programId } = await given({
    program: { baseline: meanOfDays(2), commitment: 10 },
    at: "2026-06-10T18:10:00Z",
    loads: [["2026-06-08T00:00:00Z", "2026-06-10T18:10:00Z", () => 60]],
  });
  const id = await dispatchBetween(service, programId, [START, null]);
  expect(await performanceOf(service, id)).toMatchObject({
    state: "in_progress",
    end_time: null,
    measured_until: "2026-06-10T18:10:00Z",
    sites: [{ cells_expected: 20, cells_present: 20, baseline: "provisional", mean_reduction_kw: 0 }],
  });
});

test("a firm service level says which cells comply", async () => {
  const method = { kind: "firm_service_level", level_kw: 70, reference_kw: 100 };
  const { programId } = await given({
    program: { baseline: { method }, commitment: 30 },
    at: LATER,
    loads: [[START, END, (endMs) => (endMs <= Date.parse(START) + 600_000 ? 90 : 65)]],
  });
  const { sites } = await performanceOf(service, await dispatchBetween(service, programId, [START, END]));
  expect(sites[0]?.compliance).toEqual({
    cells_present: 120,
    cells_complying: 100,
    excess_kwh: expect.closeTo(20 / 6),
    time_to_compliance_seconds: 630,
  });
});

test("the rebound is the hour after the end", async () => {
  const { programId } = await given({
    program: { baseline: flat(100), commitment: 40 },
    at: LATER,
    loads: [
      [START, END, () => 60],
      [END, "2026-06-10T19:30:00Z", () => 120],
      ["2026-06-10T19:30:00Z", "2026-06-10T20:00:00Z", () => 100],
    ],
  });
  const { sites } = await performanceOf(service, await dispatchBetween(service, programId, [START, END]));
  expect(sites[0]?.rebound).toMatchObject({ peak_kw: 20, energy_kwh: 10, time_to_back_seconds: 1830 });
});

describe("a site's curves", () => {
  beforeAll(prepareCurves);

  test("come as CSV, a gap being an empty field", async () => {
    const path = `/dispatches/${measuredId}/sites/${siteId}/performance?format=csv`;
    const response = await fetch(`${service.url}/2022-04-15${path}`, { headers: { "X-Service-API-Key": anna.key } });
    expect(response.headers.get("content-type")).toBe("text/csv; charset=utf-8");
    const lines = (await response.text()).split("\r\n");
    expect(lines).toHaveLength(362);
    expect(lines[0]).toBe("timestamp,baseline_kw,unadjusted_kw,load_kw,reduction_kw,target_kw");
    expect(lines[1]).toBe("2026-06-10T17:00:30Z,100,100,60.5,39.5,60");
    expect(lines[360]).toBe("2026-06-10T20:00:00Z,100,100,,,60");
    expectError(
      await anna.call("GET", path.replace("csv", "xml")),
      400,
      /format is "xml"; it must be one of json, csv/,
    );
  });

  test("show a participant its own sites only, with their own sums", async () => {
    const ben = await service.newParticipant();
    const programId = await measuredProgram(service, [anna, ben], { baseline: flat(100), commitment: 40 });
    const id = await dispatchBetween(service, programId, [START, END]);
    const own = (await anna.call(getDispatchPerformance, { params: { id } })).body;
    expect(own.sites.map((site) => site.site_id)).toEqual([siteId]);
    expect(own.totals).toMatchObject({ sites: 1, commitment_kw: 40 });
    expect((await performanceOf(service, id)).totals).toMatchObject({ sites: 2, commitment_kw: 80 });
  });
});

test("without a method, too few days fall back to the load before the notification, and it says so", async () => {
  const { siteId, programId } = await given({
    program: { commitment: 40 },
    at: LATER,
    enrolledAt: "2026-06-10T17:00:00Z",
    loads: [["2026-06-10T17:00:00Z", END, (endMs) => (endMs > Date.parse(START) ? 60 : 95)]],
  });
  service.clock.set(new Date("2026-06-10T17:30:00Z"));
  const id = await dispatchBetween(service, programId, [START, END], { notification_time: "2026-06-10T17:30:00Z" });
  service.clock.set(new Date(LATER));
  const { site, explanation } = await sitePerformanceOf(service, id, siteId);
  expect(site.mean_reduction_kw).toBe(35);
  expect(explanation).toMatchObject({
    kind: "meter_before",
    window_start: "2026-06-10T17:15:00Z",
    window_end: "2026-06-10T17:30:00Z",
    because: "0 usable days in the preceding 45 days; the method needs 4",
  });
});

test("the status follows the program's limits", async () => {
  const limits = { amber_from: 0.1, green_from: 0.2, green_to: 0.3, stale_seconds: 90, least_coverage: 0.8 };
  const { programId } = await given({
    program: { baseline: flat(100), commitment: 100, status_limits: limits },
    at: LATER,
    loads: [[START, END, () => 60]],
  });
  const { sites } = await performanceOf(service, await dispatchBetween(service, programId, [START, END]));
  expect(sites[0]?.status).toEqual({ colour: "blue", words: "well above commitment" });
});
