import { beforeAll, expect, test } from "vitest";
import { openStreamAt } from "../support/event-stream.js";
import { expectError } from "../support/expect-error.js";
import { dispatchBetween, intervalsBetween, measuredProgram, uploadIntervals } from "../support/measuring.js";
import { type Participant, type Running, running } from "../support/running.js";

// A participant's stream: its own sites, live.
const START = "2026-06-10T18:00:00Z";
const at = (minutes: number): string => new Date(Date.parse(START) + minutes * 60_000).toISOString();

let service: Running;
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
  service = await running();
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
    .poll(async () => (await ben.call("GET", `/dispatches/${dispatchId}/performance`)).body.sites[0].cells_present)
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
  await service.operator("DELETE", `/keys/${ben.keyId}`);
  let event = await stream.next();
  while (event !== null) event = await stream.next();
  expect(event).toBeNull();
});
