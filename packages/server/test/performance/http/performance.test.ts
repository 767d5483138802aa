import { getDispatchPerformance, operator } from "@curtail/contract";
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
  meanOfDays,
  measuredProgram,
  performanceOf,
  sitePerformanceOf,
} from "../../support/measuring.js";
import { firstOf } from "../../support/metering.js";

beforeAll(prepare);

describe("a gap", () => {
  test("is no zero: its cells are missing from the sums and the coverage", async () => {
    const { programId } = await given({
      program: { baseline: flat(100), commitment: 40 },
      at: LATER,
      loads: [
        [START, "2026-06-10T18:30:00Z", () => 60],
        ["2026-06-10T18:45:00Z", END, () => 60],
      ],
    });
    const { sites, totals } = await performanceOf(service, await dispatchBetween(service, programId, [START, END]));
    expect(sites[0]).toMatchObject({
      cells_expected: 120,
      cells_present: 90,
      coverage: 0.75,
      mean_reduction_kw: 40,
      delivered_energy_kwh: 30,
      committed_energy_kwh: 40,
      status: { colour: "grey", words: "too few readings" },
    });
    expect(totals).toMatchObject({ coverage: 0.75, to_date: { sites: 1, reduction_kw: 40, performance: 1 } });
  });
});

/** 200 kW, 100 less while curtailed: from 12:00 to 15:00, and again from 18:00. */
const curtailedTwice = (endMs: number): number => {
  const hour = new Date(endMs - 1).toISOString().slice(0, 13);
  return ["2026-06-10T12", "2026-06-10T13", "2026-06-10T14", "2026-06-10T18"].includes(hour) ? 100 : 200;
};

test("M3: the second dispatch of a day is not compared with the load during the first", async () => {
  const { siteId, programId } = await given({
    program: { baseline: { method: { ...meanOfDays(3).method, adjust: sameDay } }, commitment: 100 },
    at: LATER,
    loads: [["2026-06-05T00:00:00Z", "2026-06-10T20:00:00Z", curtailedTwice]],
  });
  await dispatchBetween(service, programId, ["2026-06-10T12:00:00Z", "2026-06-10T15:00:00Z"]);
  const id = await dispatchBetween(service, programId, [START, END]);
  const { explanation, site } = await sitePerformanceOf(service, id, siteId);
  // From 14:00 to 17:00 the site delivered the first dispatch and recovered: the baseline would be 33 kW too low.
  expect(explanation.adjustment).toMatchObject({
    window_start: "2026-06-10T14:00:00Z",
    raw: null,
    not_applied: expect.stringMatching(/always meets another dispatch/),
  });
  expect(site.performance).toBe(1);
});

test.each([
  [0, { commitment_kw: 0, delivered_energy_capped_kwh: 0, committed_energy_kwh: 0, share_at_commitment: null }],
  [
    null,
    { commitment_kw: null, delivered_energy_capped_kwh: null, committed_energy_kwh: null, share_at_commitment: null },
  ],
])("a commitment of %s has a reduction and no performance", async (commitment, expected) => {
  const { programId } = await given({
    program: { baseline: flat(100), commitment },
    at: LATER,
    loads: [[START, END, () => 90]],
  });
  const { sites, totals } = await performanceOf(service, await dispatchBetween(service, programId, [START, END]));
  expect(sites[0]).toMatchObject({
    ...expected,
    drop_by_kw: commitment,
    mean_reduction_kw: 10,
    performance: null,
    delivered_energy_kwh: 10,
    time_to_full_seconds: null,
    status: { colour: "grey", words: "no commitment" },
  });
  expect(totals.to_date).toMatchObject({ reduction_kw: 10, performance: null });
});

test("a cancelled dispatch is measured to its cancellation", async () => {
  const { programId } = await given({
    program: { baseline: flat(100), commitment: 40 },
    at: "2026-06-10T18:20:00Z",
    loads: [["2026-06-10T17:30:00Z", "2026-06-10T18:20:00Z", () => 60]],
  });
  const id = await dispatchBetween(service, programId, [START, END]);
  await service.made(operator.changeDispatch, { params: { id }, body: { authorized: false } });
  service.clock.set(new Date(LATER));
  expect(await performanceOf(service, id)).toMatchObject({
    state: "cancelled",
    end_time: END,
    measured_until: "2026-06-10T18:20:00Z",
    sites: [{ cells_expected: 40, cells_present: 40, committed_energy_kwh: expect.closeTo(40 / 3) }],
  });
});

describe("a site's curves", () => {
  beforeAll(prepareCurves);

  test("reach from an hour before the start to an hour after the end", async () => {
    const { curve } = await sitePerformanceOf(service, measuredId, siteId);
    expect(curve).toHaveLength(360);
    expect(curve[0]).toEqual({
      timestamp: "2026-06-10T17:00:30Z",
      baseline_kw: 100,
      unadjusted_kw: 100,
      load_kw: 60.5,
      reduction_kw: 39.5,
      target_kw: 60,
      quality: "measured",
    });
    expect(curve.at(-1)).toMatchObject({ timestamp: "2026-06-10T20:00:00Z", load_kw: null, quality: "gap" });
  });

  test("are the participant's own: another account finds neither dispatch nor site (G4)", async () => {
    const ben = await service.newParticipant();
    for (const path of [
      `/dispatches/${measuredId}/performance`,
      `/dispatches/${measuredId}/sites/${siteId}/performance`,
    ]) {
      expect((await anna.call("GET", path)).status).toBe(200);
      expectError(await ben.call("GET", path), 404, /No such dispatch/);
    }
    const foreign = `/dispatches/${measuredId}/sites/${firstOf(ben).siteId}/performance`;
    expectError(await anna.call("GET", foreign), 404, /No such site/);
    expectError(await service.operator("GET", foreign), 404, /No such site/);
    expectError(
      await service.operator(operator.getAnyDispatchPerformance, { params: { id: "dis_0" } }),
      404,
      /No such dispatch/,
    );
  });

  test("are not there for a participant before the notification (G16)", async () => {
    const programId = await measuredProgram(service, [anna], { baseline: flat(100) });
    const notification_time = "2026-06-11T12:00:00Z";
    const times = ["2026-06-11T18:00:00Z", "2026-06-11T19:00:00Z"] as const;
    const id = await dispatchBetween(service, programId, times, { notification_time });
    expectError(await anna.call(getDispatchPerformance, { params: { id } }), 404, /No such dispatch/);
    expect((await performanceOf(service, id)).state).toBe("upcoming");
  });
});

test("a dispatch keeps the method of its creation, and a site's own counts before the program's", async () => {
  const { participant, siteId, programId } = await given({
    program: { baseline: flat(100) },
    at: LATER,
    loads: [[START, END, () => 60]],
  });
  const before = await dispatchBetween(service, programId, [START, END]);
  await service.made(operator.changeProgram, { params: { id: programId }, body: { baseline: flat(200) } });
  const after = await dispatchBetween(service, programId, [START, END]);
  await service.made(operator.enrolSite, {
    params: { id: programId, site_id: siteId },
    body: { commitment: 1, baseline: flat(300) },
  });
  const own = await dispatchBetween(service, programId, [START, END]);
  const reductions = [];
  for (const id of [before, after, own])
    reductions.push((await performanceOf(service, id)).sites[0]?.mean_reduction_kw);
  expect(reductions).toEqual([40, 140, 240]);
  expect(participant.sites).toHaveLength(1);
});
