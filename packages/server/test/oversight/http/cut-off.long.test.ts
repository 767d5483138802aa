import { operator } from "@curtail/contract";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { alarmsAbout } from "../../support/alarms.js";
import {
  anna,
  cutOff,
  disable,
  judged,
  openLong,
  prepare,
  prepareEach,
  programId,
  service,
  siteId,
  started,
  withdraw,
} from "../../support/cut-offs.js";
import { ahead, newDispatch } from "../../support/dispatching.js";
import { expectError } from "../../support/expect-error.js";

beforeAll(prepare);

beforeEach(prepareEach);

describe("before a dispatch, after it, and beside others'", () => {
  test("nothing is asked about a test that the account made itself", async () => {
    const times = { start_time: ahead(service, { minutes: 1 }), end_time: ahead(service, { minutes: 30 }) };
    expect((await anna.call("POST", "/dispatches", times)).status).toBe(200);
    service.clock.advance({ minutes: 2 });
    expect((await disable()).status).toBe(200);
  });
});

describe("an alarm says that a dispatch in progress still targets", () => {
  test("a withdrawn site, until it is enrolled again; not one that never was enrolled", async () => {
    const bert = await service.newParticipant();
    const sites = [{ site_id: siteId() }, { site_id: bert.sites[0]?.id ?? "" }];
    await newDispatch(service, programId, { start_time: ahead(service, {}), sites });
    await withdraw({ confirm_running: "true" });
    const [alarm] = await judged(cutOff(siteId()), 1);
    expect(alarm?.message).toMatch(/of account Anna .* was withdrawn from its program/u);
    expect(await alarmsAbout(service, cutOff(bert.accountId))).toEqual([]);
    const params = { id: programId, site_id: siteId() };
    await service.made(operator.enrolSite, { params, body: { commitment: 5 } });
    await judged(cutOff(siteId()), 0);
  });
});

const change = (longest_open_hours: number) =>
  service.operator(operator.changeProgram, { params: { id: programId }, body: { longest_open_hours } });

// G60: a dispatch without an end that was forgotten.
describe("a dispatch without an end", () => {
  test("may run for as long as its program says, which is 24 hours at first", async () => {
    const program = await service.made(operator.getProgram, { params: { id: programId } });
    expect(program.longest_open_hours).toBe(24);
    for (const wrong of [0, 8761, 1.5]) expectError(await change(wrong), 400, /longest_open_hours/);
    expect((await change(48)).body).toMatchObject({ longest_open_hours: 48 });
    const id = await started();
    service.clock.advance({ hours: 47 });
    await judged(openLong(id), 0);
    service.clock.advance({ hours: 2 });
    await judged(openLong(id), 1);
    const { body } = await service.operator(operator.listAudit, { query: { subject: programId } });
    expect(body.items[0]).toMatchObject({ before: { longest_open_hours: 24 }, after: { longest_open_hours: 48 } });
  });
});
