import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { ahead, newDispatch, newProgram } from "../support/dispatching.js";
import { expectError } from "../support/expect-error.js";
import { type Participant, type Running, running } from "../support/running.js";

// Specification, endpoint 5: when availability is turned off, the site is not dispatched in the period; G18.
let service: Running;
let anna: Participant;
let siteId: string;

beforeAll(async () => {
  service = await running();
});

beforeEach(async () => {
  anna = await service.newParticipant();
  siteId = anna.sites[0]?.id ?? "";
});

const period = (from: number, to: number) => ({
  start_time: ahead(service, { hours: from }),
  end_time: ahead(service, { hours: to }),
});
const block = (from: number, to: number) =>
  anna.call("POST", `/schedule/sites/${siteId}`, { available: false, ...period(from, to) });
const stored = async () => (await service.operator("GET", `/sites/${siteId}/schedule`)).body.items;

describe("a dispatch over a block", () => {
  test("leaves the site out and says so to the operator", async () => {
    const ben = await service.newParticipant();
    const program = await newProgram(service, [anna, ben]);
    await block(2, 4);
    const { body } = await service.operator("POST", "/dispatches", { program_id: program, ...period(3, 5) });
    expect(body.sites).toMatchObject([{ id: ben.sites[0]?.id }]);
    expect(body.excluded_sites).toEqual([{ site_id: siteId, reason: expect.stringMatching(/not available/) }]);
    expect((await anna.call("GET", "/dispatches")).body.dispatches).toEqual([]);
  });

  test("holds the site when they only touch", async () => {
    const program = await newProgram(service, [anna]);
    await block(2, 4);
    for (const [from, to] of [
      [1, 2],
      [4, 5],
    ] as const) {
      const { body } = await service.operator("POST", "/dispatches", { program_id: program, ...period(from, to) });
      expect(body).toMatchObject({ sites: [{ id: siteId }], excluded_sites: [] });
    }
  });

  test("without an end counts as 24 hours", async () => {
    const program = await newProgram(service, [anna]);
    await block(30, 31);
    const issue = (hours: number) =>
      service.operator("POST", "/dispatches", { program_id: program, start_time: ahead(service, { hours }) });
    expect((await issue(6)).status).toBe(201);
    expectError(await issue(6.01), 400, /no site is available in the period/);
  });

  test("is refused when no site is left", async () => {
    const program = await newProgram(service, [anna]);
    await block(1, 5);
    const body = { program_id: program, ...period(2, 3) };
    expectError(await service.operator("POST", "/dispatches", body), 400, /no site is available in the period/);
    const named = { ...body, sites: [{ site_id: siteId }] };
    expectError(await service.operator("POST", "/dispatches", named), 400, /no site is available in the period/);
  });

  test("that holds the site already stays as it is", async () => {
    const program = await newProgram(service, [anna]);
    const { id } = await newDispatch(service, program, period(2, 4));
    const before = await anna.call("GET", `/dispatches/${id}`);
    expect((await block(1, 5)).status).toBe(200);
    expect((await anna.call("GET", `/dispatches/${id}`)).text).toBe(before.text);
  });

  test("holds the site again when the operator removed the block", async () => {
    const program = await newProgram(service, [anna]);
    await block(1, 5);
    const [{ id }] = await stored();
    expect((await service.operator("DELETE", `/schedule/${id}`)).status).toBe(204);
    expect((await newDispatch(service, program, period(2, 3))).id).toMatch(/^dis_/);
  });
});
