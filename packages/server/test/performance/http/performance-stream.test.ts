import { getDispatchPerformance, operator } from "@curtail/contract";
import { beforeAll, describe, expect, test, vi } from "vitest";
import { openStream, openStreamAt } from "../../support/event-stream.js";
import { expectError } from "../../support/expect-error.js";
import {
  dispatchBetween,
  intervalsBetween,
  measuredProgram,
  performanceOf,
  uploadIntervals,
} from "../../support/measuring.js";
import { OPERATOR_TOKEN, type Participant, type Running, running } from "../../support/running.js";

let service: Running;

beforeAll(async () => {
  service = await running();
});

// A participant's own sites, live.
describe("a participant's stream", () => {
  const START = "2026-06-10T18:00:00Z";
  const at = (minutes: number): string => new Date(Date.parse(START) + minutes * 60_000).toISOString();

  let anna: Participant;
  let ben: Participant;
  let dispatchId: string;

  const readings = (of: Participant, [from, to]: readonly [number, number], kw: number): Promise<void> =>
    uploadIntervals(
      of,
      of.sites[0]?.meters[0] ?? "",
      intervalsBetween([at(from), at(to)], 30, () => kw),
    );

  const streamOf = (of: Participant) =>
    openStreamAt(`${service.url}/2022-04-15/dispatches/${dispatchId}/performance/stream`, {
      "x-service-api-key": of.key,
    });

  beforeAll(async () => {
    service.clock.set(new Date(START));
    [anna, ben] = [await service.newParticipant(), await service.newParticipant()];
    for (const each of [anna, ben]) await readings(each, [-60, 0], 100);
    const baseline = { method: { kind: "meter_before", seconds: 900, anchor: "start" } };
    const programId = await measuredProgram(service, [anna, ben], { baseline, commitment: 40 });
    dispatchId = await dispatchBetween(service, programId, [START, at(60)]);
    service.clock.set(new Date(at(10)));
  });

  test("begins with the participant's own sites; what happens at others' makes no event, at its own one", async () => {
    const stream = await streamOf(anna);
    const first = await stream.next();
    expect(first).toMatchObject({ event: "snapshot", data: { dispatch_id: dispatchId, state: "in_progress" } });
    expect(first?.data.sites.map((site: { site_id: string }) => site.site_id)).toEqual([anna.sites[0]?.id]);
    expect(first?.data.totals.sites).toBe(1);
    await readings(ben, [0, 2], 50);
    await expect
      .poll(
        async () =>
          (await ben.call(getDispatchPerformance, { params: { id: dispatchId } })).body.sites[0]?.cells_present,
      )
      .toBe(4);
    await readings(anna, [0, 1], 60);
    expect(await stream.next()).toMatchObject({
      event: "change",
      data: { sites: [{ site_id: anna.sites[0]?.id, cells_present: 2, mean_reduction_kw: 40 }] },
    });
    stream.close();
  });

  test("is not there for an account that the dispatch does not call, nor without a key", async () => {
    const path = `/dispatches/${dispatchId}/performance/stream`;
    expectError(await (await service.newParticipant()).call("GET", path), 404);
    const answer = await fetch(`${service.url}/2022-04-15${path}`);
    expect(answer.status).toBe(401);
  });

  test("ends when its key is revoked", async () => {
    const stream = await streamOf(ben);
    await stream.next();
    await service.operator(operator.revokeKey, { params: { id: ben.keyId }, query: { confirm_running: "true" } });
    let event = await stream.next();
    while (event !== null) event = await stream.next();
    expect(event).toBeNull();
  });
});

const at = (time: string): void => service.clock.set(new Date(time));

// A dispatch that was cancelled while it ran: what was delivered is shown, and nobody is judged by it.
describe("a dispatch that was cancelled while it ran", () => {
  let anna: Participant;
  let id: string;
  let operatorStream: Awaited<ReturnType<typeof openStream>>;
  let ownStream: Awaited<ReturnType<typeof openStream>>;

  const START = "2026-06-10T18:00:00Z";
  const CANCELLED = "2026-06-10T18:20:00Z";
  const END = "2026-06-10T19:00:00Z";

  beforeAll(async () => {
    at(CANCELLED);
    anna = await service.newParticipant({ sites: [["main"]] });
    const kwAt = (endMs: number) => (endMs > Date.parse(START) ? 90 : 100);
    const before = intervalsBetween(["2026-06-10T16:00:00Z", CANCELLED], 30, kwAt);
    await uploadIntervals(anna, anna.sites[0]?.meters[0] ?? "", before);
    const method = { kind: "meter_before", seconds: 900, anchor: "start" };
    const programId = await measuredProgram(service, [anna], { baseline: { method }, commitment: 40 });
    id = await dispatchBetween(service, programId, [START, END]);
    expect((await performanceOf(service, id)).sites[0]).toMatchObject({ status: { colour: "red" }, performance: 0.25 });
    const path = `/dispatches/${id}/performance/stream`;
    operatorStream = await openStream(service.url, path);
    ownStream = await openStreamAt(`${service.url}/2022-04-15${path}`, { "x-service-api-key": anna.key });
    await operatorStream.next();
    await ownStream.next();
    await service.made(operator.changeDispatch, { params: { id }, body: { authorized: false } });
  });

  const unjudged = {
    status: { colour: "grey", words: "not evaluated: the dispatch was cancelled" },
    performance: null,
    share_at_commitment: null,
    time_to_full_seconds: null,
    time_to_full_held_seconds: null,
    ramp_kw_per_minute: null,
    compliance: null,
  };
  const report = {
    state: "cancelled",
    measured_until: CANCELLED,
    totals: { now: { performance: null }, to_date: { performance: null, reduction_kw: 10 } },
    sites: [{ ...unjudged, mean_reduction_kw: 10, cells_present: 40, latest: { reduction_kw: 10, performance: null } }],
  };

  describe("a dispatch that was cancelled while it ran", () => {
    test("is not judged, for the operator as for the participant", async () => {
      expect(await performanceOf(service, id)).toMatchObject(report);
      expect((await anna.call(getDispatchPerformance, { params: { id } })).body).toMatchObject(report);
    });

    test("is not judged in either stream", async () => {
      expect((await operatorStream.next())?.data).toMatchObject(report);
      expect((await ownStream.next())?.data).toMatchObject(report);
      operatorStream.close();
      ownStream.close();
    });

    test("shows the curve of what was delivered, as numbers and as CSV", async () => {
      const path = `/dispatches/${id}/sites/${anna.sites[0]?.id}/performance`;
      const { body } = await service.operator("GET", path);
      expect(body.site).toMatchObject(unjudged);
      expect(body.curve).toContainEqual(expect.objectContaining({ timestamp: CANCELLED, reduction_kw: 10 }));
      const csv = await fetch(`${service.url}/operator/v1${path}?format=csv`, {
        headers: { authorization: `Bearer ${OPERATOR_TOKEN}` },
      });
      expect(await csv.text()).toContain(`${CANCELLED},100,100,90,10,60`);
      const { curve } = (await service.operator(operator.getDispatchCurve, { params: { id } })).body;
      expect(curve).toContainEqual(expect.objectContaining({ timestamp: CANCELLED, reduction_kw: 10 }));
    });

    test("is not judged by its final result either", async () => {
      at("2026-06-11T06:00:00Z");
      await vi.waitUntil(
        async () => {
          service.clock.advance({ seconds: 6 });
          return (await performanceOf(service, id)).versions.length === 1;
        },
        { timeout: 15_000, interval: 100 },
      );
      expect(await performanceOf(service, id)).toMatchObject({ ...report, version: 1 });
      expect(
        (await service.operator(operator.getAnyDispatchPerformance, { params: { id }, query: { version: 1 } })).body,
      ).toMatchObject(report);
    });
  });
});
