import { operator, participantConsole } from "@curtail/contract";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import {
  anna,
  cutOff,
  disable,
  end,
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
import { ahead, newDispatch, newProgram } from "../../support/dispatching.js";
import { expectError } from "../../support/expect-error.js";
import { newBrowser } from "../../support/people.js";
import { claimedKey } from "../../support/running.js";

beforeAll(prepare);

beforeEach(prepareEach);
const ended = async (id: string): Promise<void> => {
  service.clock.advance({ seconds: 10 });
  await end(id);
  service.clock.advance({ seconds: 1 });
};
const revoke = (query: { confirm_running?: "true" } = {}) =>
  service.operator(operator.revokeKey, { params: { id: anna.keyId }, query });
const withdrawBoth = (body: object = {}) =>
  service.operator("POST", `/programs/${programId}/withdrawals`, { site_ids: [siteId()], ...body });

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
});
