import { createWebhook, getDispatchPerformance, listDispatches, operator } from "@curtail/contract";
import { type Receiver, receiver } from "@curtail/testing/receiver";
import { beforeAll, describe, expect, test, vi } from "vitest";
import { ahead, newDispatch, newProgram } from "../../support/dispatching.js";
import { openStream } from "../../support/event-stream.js";
import { expectError } from "../../support/expect-error.js";
import { httpClient } from "../../support/http-client.js";
import {
  dispatchBetween,
  intervalsBetween,
  meanOfDays,
  measuredProgram,
  performanceOf,
  sitePerformanceOf,
  untilVersions,
  uploadIntervals,
} from "../../support/measuring.js";
import { newBrowser } from "../../support/people.js";
import { OPERATOR_TOKEN, type Participant, type Running, running } from "../../support/running.js";

// An operator voids a dispatch after its end (G52): it no longer counts.
let service: Running;
let anna: Participant;
let hook: Receiver;

const REASON = "Issued by mistake: the grid was fine.";

beforeAll(async () => {
  service = await running();
  anna = await service.newParticipant({ name: "Anna" });
  hook = await receiver();
  const events = [{ name: "dispatch.create" as const }, { name: "dispatch.update" as const }];
  await anna.call(createWebhook, { body: { url: hook.url, events } });
});

const patch = (id: string, body: object) => service.operator(operator.changeDispatch, { params: { id }, body });
const voided = (id: string, void_reason = REASON) => patch(id, { authorized: false, void_reason });
const listed = async (id: string) => (await anna.call(listDispatches)).body.dispatches.find((each) => each.id === id);

/** A dispatch that ended an hour ago. */
const pastDispatch = async (): Promise<string> => {
  const program = await newProgram(service, [anna]);
  const times = { start_time: ahead(service, { hours: 1 }), end_time: ahead(service, { hours: 2 }) };
  const { id } = await newDispatch(service, program, times);
  service.clock.advance({ hours: 3 });
  return id;
};

describe("a dispatch that is over", () => {
  test("is voided with a reason: participants see it as cancelled for 24 hours, and are notified of it", async () => {
    const id = await pastDispatch();
    await hook.notices(1);
    expect((await voided(id)).body).toMatchObject({
      id,
      authorized: false,
      void_reason: REASON,
      modification_number: 1,
    });
    expect(await listed(id)).toMatchObject({ authorized: false, modification_number: 1 });
    expect(await listed(id)).not.toHaveProperty("void_reason");
    await vi.waitUntil(() =>
      hook.received.some(({ event, resource }) => event === "dispatch.update" && resource.endsWith(id)),
    );
    service.clock.advance({ hours: 24 });
    expect(await listed(id)).toMatchObject({ authorized: false });
    service.clock.advance({ seconds: 1 });
    expect(await listed(id)).toBeUndefined();
  });

  test("is voided once: the same again changes nothing, another reason is refused", async () => {
    const id = await pastDispatch();
    const first = (await voided(id)).body;
    expect((await voided(id)).body).toEqual(first);
    expect((await patch(id, { authorized: false })).body).toEqual(first);
    expectError(await voided(id, "Another reason"), 400, /already void/);
    const { revisions } = (await service.operator(operator.getAnyDispatch, { params: { id } })).body;
    expect(revisions).toHaveLength(2);
  });

  test("is voided by one of two who do it at once", async () => {
    const id = await pastDispatch();
    const both = await Promise.all([voided(id), voided(id)]);
    expect(both.map(({ body }) => body.modification_number)).toEqual([1, 1]);
  });

  test("is not voided without a reason, and a reason is refused before the end and without the voiding", async () => {
    const id = await pastDispatch();
    expectError(await patch(id, { authorized: false }), 400, /void_reason/);
    expectError(await voided(id, ""), 400, /void_reason/);
    expectError(await voided(id, "  "), 400, /void_reason/);
    expectError(await voided(id, "x".repeat(501)), 400, /void_reason/);
    expect((await voided(id, "x".repeat(500))).status).toBe(200);
    expectError(await patch(id, { void_reason: REASON }), 400, /authorized/);
    const { id: running_ } = await newDispatch(service, await newProgram(service, [anna]));
    expectError(await voided(running_), 400, /not over.*cancel/);
    expect((await patch(running_, { authorized: false, void_reason: null })).body).toMatchObject({ void_reason: null });
    expectError(await voided(running_), 400, /already cancelled/);
  });

  test("is voided in the audit log with the reason, by name of who did it", async () => {
    const id = await pastDispatch();
    const olive = await newBrowser(service, "operator-admin");
    await olive.operator(operator.changeDispatch, { params: { id }, body: { authorized: false, void_reason: REASON } });
    const [entry] = (await service.operator(operator.listAudit, { query: { limit: 1 } })).body.items;
    expect(entry).toMatchObject({
      action: "dispatch.void",
      subject: id,
      before: { authorized: true, modification_number: 0 },
      after: { authorized: false, modification_number: 1, void_reason: REASON },
    });
    expect(entry?.actor).toMatch(/^user:/);
  });
});

const DAY = "2026-06-10";
const START = `${DAY}T18:00:00Z`;
const END = `${DAY}T19:00:00Z`;
const at = (time: string): void => service.clock.set(new Date(time));
/** 100 kW, and 60 in the hour of the dispatch. */
const kwAt = (endMs: number): number => (endMs > Date.parse(START) && endMs <= Date.parse(END) ? 60 : 100);
/** A site with load on every day, 100 kW and 60 in the hour of the dispatch, and its program. */
const measured = async () => {
  at("2026-06-08T00:00:00Z");
  const ben = await service.newParticipant();
  const meter = ben.sites[0]?.meters[0] ?? "";
  const programId = await measuredProgram(service, [ben], {
    baseline: meanOfDays(3),
    commitment: 40,
  });
  const load = async (from: string, to: string) => {
    at(to);
    await uploadIntervals(ben, meter, intervalsBetween([from, to], 300, kwAt));
  };
  return { ben, programId, load, siteId: ben.sites[0]?.id ?? "" };
};

describe("the results of a voided dispatch", () => {
  test("are withdrawn and stay in the history, for a process that starts anew too", async () => {
    const { ben, programId, load, siteId } = await measured();
    await load("2026-06-03T00:00:00Z", "2026-06-10T20:00:00Z");
    const id = await dispatchBetween(service, programId, [START, END]);
    at("2026-06-10T20:03:00Z");
    await untilVersions(service, id, 1);
    const kept = await performanceOf(service, id);
    expect(kept).toMatchObject({ state: "final", sites: [{ mean_reduction_kw: 40, performance: 1 }] });
    const stream = await openStream(service.url, `/dispatches/${id}/performance/stream`);
    await stream.next();
    await voided(id);
    const withdrawn = {
      state: "cancelled",
      version: 2,
      versions: [{ version: 1 }, { version: 2, reason: "withdrawn" }],
      totals: { sites: 0, delivered_energy_kwh: null, to_date: { performance: null } },
      sites: [],
    };
    expect(await performanceOf(service, id)).toMatchObject(withdrawn);
    expect((await ben.call(getDispatchPerformance, { params: { id } })).body).toMatchObject(withdrawn);
    expect((await stream.next())?.data).toMatchObject(withdrawn);
    stream.close();
    expect((await service.operator(operator.getDispatchCurve, { params: { id } })).body.curve).toEqual([]);
    expectError(
      await service.operator(operator.getAnySitePerformance, { params: { id, site_id: siteId } }),
      404,
      /withdrawn/,
    );
    const { versions: _versions, ...history } = kept;
    expect(
      (await service.operator(operator.getAnyDispatchPerformance, { params: { id }, query: { version: 1 } })).body,
    ).toMatchObject({
      ...history,
      state: "cancelled",
    });
    const restarted = httpClient(`${await service.another()}/operator/v1`, {
      authorization: `Bearer ${OPERATOR_TOKEN}`,
    });
    expect((await restarted("GET", `/dispatches/${id}/performance`)).body).toMatchObject(withdrawn);
    // Late readings do not bring them back.
    await load("2026-06-10T20:00:00Z", "2026-06-10T23:00:00Z");
    service.clock.advance({ minutes: 5 });
    expect((await performanceOf(service, id)).versions).toHaveLength(2);
  });

  test("keep no day out of a baseline: not of dispatches to come, nor of those that have their result", async () => {
    const { programId, load, siteId } = await measured();
    await load("2026-06-03T00:00:00Z", "2026-06-11T20:00:00Z");
    const first = await dispatchBetween(service, programId, [START, END]);
    const second = await dispatchBetween(service, programId, ["2026-06-11T18:00:00Z", "2026-06-11T19:00:00Z"]);
    at("2026-06-11T20:03:00Z");
    await untilVersions(service, second, 1);
    const daysLeftOut = async (id: string): Promise<string[]> => {
      const { explanation } = await sitePerformanceOf(service, id, siteId);
      return explanation.dropped
        .filter(({ reason }: { reason: string }) => reason === "event_day")
        .map(({ date }: { date: string }) => date);
    };
    expect(await daysLeftOut(second)).toEqual([DAY]);
    await voided(first);
    await untilVersions(service, second, 2);
    expect(await daysLeftOut(second)).toEqual([]);
    at("2026-06-12T18:00:00Z");
    const third = await dispatchBetween(service, programId, ["2026-06-12T18:00:00Z", "2026-06-12T19:00:00Z"]);
    expect(await daysLeftOut(third)).toEqual(["2026-06-11"]);
  });

  test("keep no day out of the baseline of a dispatch that is being measured", async () => {
    const { programId, load, siteId } = await measured();
    await load("2026-06-03T00:00:00Z", "2026-06-11T18:05:00Z");
    const first = await dispatchBetween(service, programId, [START, END]);
    const live = await dispatchBetween(service, programId, ["2026-06-11T18:00:00Z", "2026-06-11T19:00:00Z"]);
    const droppedDays = async () =>
      (await sitePerformanceOf(service, live, siteId)).explanation.dropped.map(({ date }: { date: string }) => date);
    expect(await droppedDays()).toContain(DAY);
    await voided(first);
    await vi.waitUntil(async () => !(await droppedDays()).includes(DAY), { timeout: 30_000, interval: 100 });
  });
});
