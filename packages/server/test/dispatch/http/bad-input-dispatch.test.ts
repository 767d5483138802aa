import { operator } from "@curtail/contract";
import { wireProgram } from "@curtail/testing/wire-forms";
import { beforeAll, describe, expect, test } from "vitest";
import { expectError } from "../../support/expect-error.js";
import { type Participant, type Running, running } from "../../support/running.js";

let service: Running;
let anna: Participant;
let bert: Participant;
let program: { id: string };

beforeAll(async () => {
  service = await running();
  anna = await service.newParticipant({ sites: [["main"], ["main"]] });
  bert = await service.newParticipant();
  program = await service.made(operator.createProgram, {
    body: wireProgram({ timezone: "America/Chicago", market: "ERCOT" }),
  });
});

const inMinutes = (minutes: number): string => new Date(service.clock.now().getTime() + minutes * 60_000).toISOString();

const dispatched = (of: readonly Participant[], body: object = {}): Promise<{ id: string }> =>
  service.made(operator.createDispatch, {
    body: {
      program_id: program.id,
      start_time: inMinutes(10),
      confirm_past: true,
      sites: of.flatMap((each) => each.sites.map(({ id }) => ({ site_id: id, commitment: 10 }))),
      ...body,
    },
  });

const listed = async (by: Participant, id: string) => {
  const { status, body } = await by.call("GET", "/dispatches");
  expect(status).toBe(200);
  return body.dispatches.find((each: { id: string }) => each.id === id);
};

const siteIds = (dispatch: { sites: Array<{ id: string }> }): string[] => dispatch.sites.map(({ id }) => id);

describe("GET /dispatches", () => {
  test("C1: shows a shared dispatch with the caller's sites only", async () => {
    const { id } = await dispatched([anna, bert]);
    expect(siteIds(await listed(anna, id))).toEqual(anna.sites.map((site) => site.id));
    expect(siteIds(await listed(bert, id))).toEqual(bert.sites.map((site) => site.id));
  });

  test("C1: leaves out a dispatch without a site of the caller", async () => {
    const { id } = await dispatched([anna]);
    expect(await listed(bert, id)).toBeUndefined();
  });

  test("C6: never hides a dispatch by its age while it runs", async () => {
    const { id } = await dispatched([anna], { start_time: inMinutes(0) });
    service.clock.advance({ hours: 24, seconds: 1 });
    expect(await listed(anna, id)).toMatchObject({ end_time: null, authorized: true });
    service.clock.advance({ days: 40 });
    expect(await listed(anna, id)).toMatchObject({ end_time: null, authorized: true });
  });

  test("C6: never hides a dispatch that lies ahead, however long ago it was created", async () => {
    const { id } = await dispatched([anna], { start_time: inMinutes(30 * 1440), end_time: inMinutes(31 * 1440) });
    service.clock.advance({ days: 2 });
    expect(await listed(anna, id)).toBeDefined();
    service.clock.advance({ days: 29, hours: 23 });
    expect(await listed(anna, id)).toBeDefined();
    service.clock.advance({ hours: 2 });
    expect(await listed(anna, id)).toBeUndefined();
  });

  test("C7: lists a cancelled dispatch with authorized false, for 24 hours", async () => {
    const { id } = await dispatched([anna]);
    await service.made(operator.changeDispatch, { params: { id }, body: { authorized: false } });
    expect(await listed(anna, id)).toMatchObject({ authorized: false, modification_number: 1 });
    service.clock.advance({ hours: 24, seconds: 1 });
    expect(await listed(anna, id)).toBeUndefined();
  });

  test("does not change from poll to poll", async () => {
    const { text } = await anna.call("GET", "/dispatches");
    expect((await anna.call("GET", "/dispatches")).text).toBe(text);
  });
});

describe("GET /dispatches/{id}", () => {
  test("D1: answers another account's dispatch like an unknown one", async () => {
    const { id } = await dispatched([anna]);
    const foreign = await bert.call("GET", `/dispatches/${id}`);
    const unknown = await bert.call("GET", "/dispatches/dis_0000000000000000");
    expectError(foreign, 404);
    expect(foreign.text).toBe(unknown.text);
  });

  test("D2: shows a shared dispatch with the caller's sites only", async () => {
    const { id } = await dispatched([anna, bert]);
    const answer = await bert.call("GET", `/dispatches/${id}`);
    expect(siteIds(answer.body)).toEqual(bert.sites.map((site) => site.id));
    for (const site of anna.sites) expect(answer.text).not.toContain(site.id);
    expect(answer.text).not.toContain(anna.accountId);
  });

  test("D5: does not know a dispatch before its notification time", async () => {
    const { id } = await dispatched([anna], { notification_time: inMinutes(5) });
    const early = await anna.call("GET", `/dispatches/${id}`);
    expectError(early, 404);
    expect(early.text).toBe((await anna.call("GET", "/dispatches/dis_0000000000000000")).text);
    expect(await listed(anna, id)).toBeUndefined();
    service.clock.advance({ minutes: 5 });
    expect((await anna.call("GET", `/dispatches/${id}`)).body).toMatchObject({ id, authorized: true });
    expect(await listed(anna, id)).toBeDefined();
  });

  test("D5: never knows one that was cancelled before its notification time", async () => {
    const { id } = await dispatched([anna], { notification_time: inMinutes(5) });
    await service.made(operator.changeDispatch, { params: { id }, body: { authorized: false } });
    service.clock.advance({ minutes: 6 });
    expectError(await anna.call("GET", `/dispatches/${id}`), 404);
    expect(await listed(anna, id)).toBeUndefined();
  });
});
