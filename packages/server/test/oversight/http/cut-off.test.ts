import { operator, participantConsole } from "@curtail/contract";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type About, alarmsAbout, judgeOnce } from "../../support/alarms.js";
import { ahead, newDispatch, newProgram } from "../../support/dispatching.js";
import { expectError } from "../../support/expect-error.js";
import { newBrowser } from "../../support/people.js";
import { claimedKey, type Participant, type Running, running } from "../../support/running.js";

let service: Running;
let anna: Participant;
let programId: string;

beforeAll(async () => {
  service = await running();
});

beforeEach(async () => {
  anna = await service.newParticipant({ name: "Anna" });
  programId = await newProgram(service, [anna]);
});

const started = async () => (await newDispatch(service, programId, { start_time: ahead(service, {}) })).id;
const end = (id: string) =>
  service.made(operator.changeDispatch, { params: { id }, body: { end_time: ahead(service, {}) } });
const ended = async (id: string): Promise<void> => {
  service.clock.advance({ seconds: 10 });
  await end(id);
  service.clock.advance({ seconds: 1 });
};

const disable = (body: object = {}) =>
  service.operator(operator.changeAccount, { params: { id: anna.accountId }, body: { disabled: true, ...body } });
const revoke = (query: { confirm_running?: "true" } = {}) =>
  service.operator(operator.revokeKey, { params: { id: anna.keyId }, query });
const siteId = () => anna.sites[0]?.id ?? "";
const withdraw = (query: { confirm_running?: "true" } = {}) =>
  service.operator(operator.withdrawSite, { params: { id: programId, site_id: siteId() }, query });
const withdrawBoth = (body: object = {}) =>
  service.operator("POST", `/programs/${programId}/withdrawals`, { site_ids: [siteId()], ...body });

const cutOff = (id: string) => ({ kind: "dispatched_cut_off", id });
const openLong = (id: string) => ({ kind: "dispatch_open_long", id });

/** The alarms that stand once the rules were looked at again. */
const judged = async (about: About, count: number) => {
  await judgeOnce(service);
  const standing = await alarmsAbout(service, about);
  expect(standing).toHaveLength(count);
  return standing;
};

const ASKED = /^Send confirm_running: true to .* \(Peak\), which does not change/u;

// G72: what a dispatch in progress needs is asked about once more.
describe("while a dispatch of it is in progress", () => {
  test("an account is disabled only if that is confirmed", async () => {
    await started();
    expectError(await disable(), 400, ASKED);
    const { body } = await service.operator(operator.getAccount, { params: { id: anna.accountId } });
    expect(body.disabled).toBe(false);
    expect((await disable({ confirm_running: true })).body).toMatchObject({ disabled: true });
  });

  test("a key of production is revoked only if that is confirmed, by operators and by its own account", async () => {
    await started();
    expectError(await revoke(), 400, ASKED);
    const person = await newBrowser(service, "participant-admin", anna.accountId);
    const own = (query: { confirm_running?: "true" } = {}) =>
      person.console(participantConsole.revokeOwnKey, { params: { id: anna.keyId }, query });
    expectError(await own(), 400, ASKED);
    expect((await anna.call("GET", "/dispatches")).status).toBe(200);
    expect((await own({ confirm_running: "true" })).status).toBe(204);
    expect((await anna.call("GET", "/dispatches")).status).toBe(401);
  });

  test("a site is withdrawn from the program only if that is confirmed, alone or with others", async () => {
    await started();
    expectError(await withdraw(), 400, ASKED);
    expectError(await withdrawBoth(), 400, ASKED);
    const { body } = await service.operator(operator.listEnrolments, { params: { id: programId } });
    expect(body.items).toHaveLength(1);
    expect((await withdrawBoth({ confirm_running: true })).body).toMatchObject({ withdrawn: [siteId()] });
  });
});

describe("before a dispatch, after it, and beside others'", () => {
  test("nothing is asked", async () => {
    await newDispatch(service, programId, { start_time: ahead(service, { hours: 1 }) });
    const bert = await service.newParticipant();
    await newDispatch(service, await newProgram(service, [bert]), { start_time: ahead(service, {}) });
    const id = await started();
    await ended(id);
    expect((await withdraw()).status).toBe(204);
    expect((await revoke()).status).toBe(204);
    expect((await disable()).status).toBe(200);
  });

  test("nothing is asked about a test that the account made itself", async () => {
    const times = { start_time: ahead(service, { minutes: 1 }), end_time: ahead(service, { minutes: 30 }) };
    expect((await anna.call("POST", "/dispatches", times)).status).toBe(200);
    service.clock.advance({ minutes: 2 });
    expect((await disable()).status).toBe(200);
  });
});

describe("an alarm says that a dispatch in progress still targets", () => {
  test("a disabled account, until the dispatch ends", async () => {
    const id = await started();
    await disable({ confirm_running: true });
    const [alarm] = await judged(cutOff(anna.accountId), 1);
    expect(alarm).toMatchObject({ account_id: anna.accountId, subject: anna.accountId });
    expect(alarm?.message).toMatch(/^Account Anna .* was disabled while it is part of a dispatch of Peak in progress/u);
    await ended(id);
    await judged(cutOff(anna.accountId), 0);
  });

  test("an account without a key, until it has another one", async () => {
    await started();
    service.clock.advance({ seconds: 1 });
    await revoke({ confirm_running: "true" });
    const [alarm] = await judged(cutOff(anna.accountId), 1);
    expect(alarm?.message).toMatch(/^The last API key of account Anna/u);
    await claimedKey(service, anna.accountId, "production");
    await judged(cutOff(anna.accountId), 0);
  });

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

// G60: a dispatch without an end that was forgotten.
describe("a dispatch without an end", () => {
  test("raises an alarm after its program's limit, until it ends", async () => {
    const id = await started();
    service.clock.advance({ hours: 24 });
    service.clock.advance({ seconds: -60 });
    await judged(openLong(id), 0);
    service.clock.advance({ minutes: 2 });
    const [alarm] = await judged(openLong(id), 1);
    expect(alarm?.message).toMatch(/^The dispatch of Peak .* has no end .* more than 24 hours\. End it/u);
    service.clock.advance({ days: 39 });
    expect(
      (
        await service.operator(operator.changeDispatch, {
          params: { id },
          body: { end_time: ahead(service, {}) },
        })
      ).status,
    ).toBe(200);
    service.clock.advance({ seconds: 1 });
    await judged(openLong(id), 0);
  });

  test("may run for as long as its program says, which is 24 hours at first", async () => {
    const program = await service.made(operator.getProgram, { params: { id: programId } });
    expect(program.longest_open_hours).toBe(24);
    const change = (longest_open_hours: number) =>
      service.operator(operator.changeProgram, { params: { id: programId }, body: { longest_open_hours } });
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
