import { getDispatchPerformance, operator } from "@curtail/contract";
import { beforeAll, describe, expect, test } from "vitest";
import { openStream } from "../../support/event-stream.js";
import { expectError } from "../../support/expect-error.js";
import {
  dispatchBetween,
  intervalsBetween,
  type MeasuredProgram,
  meanOfDays,
  measuredProgram,
  performanceOf,
  untilVersions,
  uploadIntervals,
} from "../../support/measuring.js";
import { firstOf } from "../../support/metering.js";
import { type Running, running } from "../../support/running.js";

// Results that an operator approved, or whose time for corrections is over, do not change any more (M15).
let service: Running;

beforeAll(async () => {
  service = await running();
});

const [START, END] = ["2026-06-10T18:00:00Z", "2026-06-10T19:00:00Z"] as const;
const at = (time: string): void => service.clock.set(new Date(time));

/** A dispatch with a final result of 40 kW, and a way to correct its readings. */
const finished = async (program: MeasuredProgram = {}) => {
  at("2026-06-10T20:03:00Z");
  const participant = await service.newParticipant();
  const { meterId, siteId } = firstOf(participant);
  const load = (from: string, to: string, kwAt: (endMs: number) => number) =>
    uploadIntervals(participant, meterId, intervalsBetween([from, to], 300, kwAt));
  await load("2026-06-05T00:00:00Z", "2026-06-10T20:00:00Z", (endMs) =>
    endMs > Date.parse(START) && endMs <= Date.parse(END) ? 60 : 100,
  );
  const programId = await measuredProgram(service, [participant], {
    baseline: meanOfDays(3),
    commitment: 40,
    ...program,
  });
  const id = await dispatchBetween(service, programId, [START, END]);
  await untilVersions(service, id, 1);
  const correct = (kw: number) => load(START, END, () => kw);
  return { id, participant, siteId, programId, correct };
};

const approve = (id: string, version: number, note = "agreed with the account") =>
  service.operator(operator.approvePerformance, { params: { id }, body: { version, note } });

describe("an approved result", () => {
  test("is a version with who and why, and what is corrected later stands beside it", async () => {
    const { id, participant, siteId, correct } = await finished();
    const { status, body } = await approve(id, 1);
    expect(status).toBe(200);
    expect(body.versions).toMatchObject([
      { version: 1, reason: "complete", standing: "superseded", by: null, note: null },
      { version: 2, reason: "approved", standing: "standing", by: "operator", note: "agreed with the account" },
    ]);
    await correct(80);
    await untilVersions(service, id, 3);
    const { versions, version, sites } = await performanceOf(service, id);
    expect(versions[2]).toMatchObject({ reason: "corrected", standing: "beside" });
    expect([version, sites[0].mean_reduction_kw]).toEqual([2, 40]);
    const detail = (query: object) =>
      service.made(operator.getAnySitePerformance, { params: { id, site_id: siteId }, query });
    expect((await detail({})).site.mean_reduction_kw).toBe(40);
    expect((await detail({ version: 3 })).site.mean_reduction_kw).toBe(20);
    const own = (await participant.call(getDispatchPerformance, { params: { id } })).body;
    expect(own).toMatchObject({ version: 2, sites: [{ mean_reduction_kw: 40 }] });
  });

  test("is shown as it was approved on a stream, too, in a process that starts after the correction", async () => {
    const { id, correct } = await finished();
    const before = await openStream(service.url, `/dispatches/${id}/performance/stream`);
    await before.next();
    await approve(id, 1);
    await correct(90);
    await untilVersions(service, id, 3);
    const after = await openStream(await service.another(), `/dispatches/${id}/performance/stream`);
    expect((await after.next())?.data).toMatchObject({ version: 2, sites: [{ mean_reduction_kw: 40 }] });
    for (const stream of [before, after]) stream.close();
  });

  test("may be approved again with what came later", async () => {
    const { id, correct } = await finished();
    await approve(id, 1);
    await correct(80);
    await untilVersions(service, id, 3);
    expect((await approve(id, 3, "meter was wrong")).body.versions.at(-1)).toMatchObject({ version: 4 });
    expect(await performanceOf(service, id)).toMatchObject({ version: 4, sites: [{ mean_reduction_kw: 20 }] });
  });

  test("is withdrawn if the dispatch is voided", async () => {
    const { id } = await finished();
    await approve(id, 1);
    await service.made(operator.changeDispatch, {
      params: { id },
      body: { authorized: false, void_reason: "a mistake" },
    });
    expect(await performanceOf(service, id)).toMatchObject({ version: 3, sites: [] });
    expectError(await approve(id, 3), 400, /voided/);
  });

  test("cannot be one that is not final, not the newest or not explained", async () => {
    const { id, programId, correct } = await finished();
    await correct(70);
    await untilVersions(service, id, 2);
    expectError(await approve(id, 1), 400, /version 1 is not the newest; look at version 2/);
    expectError(await approve(id, 2, " "), 400, /note/);
    expectError(await approve("dis_0", 1), 404, /No such dispatch/);
    const ahead = await dispatchBetween(service, programId, ["2026-06-12T18:00:00Z", "2026-06-12T19:00:00Z"]);
    expectError(await approve(ahead, 1), 400, /not final yet/);
  });

  test("is in the audit log", async () => {
    const { id } = await finished();
    await approve(id, 1);
    const { items } = (await service.operator(operator.listAudit, { query: { subject: id } })).body;
    expect(items[0]).toMatchObject({
      action: "dispatch.approve",
      after: { approved_version: 2, note: "agreed with the account" },
    });
  });
});

test("after the program's cut-off, corrections stand beside the result", async () => {
  const { id, correct } = await finished({ corrections_days: 7 });
  await correct(70);
  await untilVersions(service, id, 2);
  expect(await performanceOf(service, id)).toMatchObject({ version: 2, sites: [{ mean_reduction_kw: 30 }] });
  at("2026-06-17T19:00:01Z");
  await correct(80);
  await untilVersions(service, id, 3);
  const { version, versions, sites } = await performanceOf(service, id);
  expect([version, sites[0].mean_reduction_kw]).toEqual([2, 30]);
  expect(versions.map(({ standing }: { standing: string }) => standing)).toEqual(["superseded", "standing", "beside"]);
});
