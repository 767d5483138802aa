import { operator, participantConsole } from "@curtail/contract";
import { beforeAll, describe, expect, test } from "vitest";
import { untilAlarms } from "../../support/alarms.js";
import { dispatched, other, phone, prepare, prepareOther, service, unsent } from "../../support/calls-by-phone.js";
import { ahead, newDispatch, newProgram } from "../../support/dispatching.js";
import { evidenceOf, untilHappened } from "../../support/evidence.js";
import { expectError } from "../../support/expect-error.js";
import { newBrowser } from "../../support/people.js";
import { unreachable } from "../../support/unreachable.js";

beforeAll(prepare);

describe("an account that was notified by phone", () => {
  test("before its time has passed gets no mail and no alarm", async () => {
    const [called, other] = [await unreachable(service, [], 1), await unreachable(service, [], 1)];
    const programId = await newProgram(service, [called.participant, other.participant]);
    const { id } = await newDispatch(service, programId);
    await phone(id, { account_id: called.participant.accountId });
    service.clock.advance({ seconds: 65 });
    await untilHappened(service, id, { happened: "mail notified", count: 1 });
    const mailed = (await evidenceOf(service, id)).filter(({ channel }) => channel === "mail");
    expect(new Set(mailed.map(({ account_id }) => account_id))).toEqual(new Set([other.participant.accountId]));
    await unsent(id, 1);
    await untilAlarms(service, { kind: "notice_failed", id }, 1);
  });

  test("sees in its evidence that it was called, without the operators' note", async () => {
    const { participant, account_id, id } = await dispatched();
    await phone(id, { account_id });
    const viewer = await newBrowser(service, "participant-viewer", participant.accountId);
    const { body } = await viewer.console(participantConsole.listOwnEvidence, { params: { id }, query: {} });
    const calls = body.items.filter(({ channel }) => channel === "phone");
    expect(calls).toMatchObject([{ what: "reached", detail: { modification_number: 0, person: "Ana Lopez" } }]);
    expect(Object.keys(calls[0]?.detail ?? {})).toEqual(["modification_number", "person"]);
  });
});

describe("a call is refused", () => {
  beforeAll(prepareOther);

  test("for a dispatch that was over, that the account is not part of, or that nobody knows", async () => {
    const times = { start_time: ahead(service, { minutes: 1 }), end_time: ahead(service, { minutes: 10 }) };
    const { account_id, id } = await dispatched(times);
    expectError(await phone(id, { account_id: other.accountId }), 400, /not part of this dispatch/);
    expectError(await phone("dis_0", { account_id }), 404);
    expectError(await phone(id, { account_id, modification_number: 3 }), 400, /no modification 3/);
    service.clock.advance({ minutes: 11 });
    expectError(await phone(id, { account_id }), 400, /was over/);
    expect((await phone(id, { account_id, at: ahead(service, { minutes: -5 }) })).status).toBe(201);
  });

  test("in the future, before the dispatch, or without words", async () => {
    const { account_id, id } = await dispatched();
    expectError(await phone(id, { account_id, at: ahead(service, { minutes: 1 }) }), 400, /in the future/);
    expectError(await phone(id, { account_id, at: ahead(service, { minutes: -1 }) }), 400, /before the dispatch/);
    expectError(await phone(id, { account_id, at: "yesterday" }), 400, /RFC 3339/);
    expectError(await phone(id, { account_id, note: " " }), 400, /note is blank/);
    expectError(await phone(id, { account_id, person: " " }), 400, /person is blank/);
  });
});

describe("a cancelled dispatch", () => {
  test("may still be told by phone until it would have ended", async () => {
    const { account_id, id } = await dispatched({ end_time: ahead(service, { hours: 2 }) });
    await service.made(operator.changeDispatch, { params: { id }, body: { authorized: false } });
    expect((await phone(id, { account_id })).body).toMatchObject({ modification_number: 1 });
  });
});
