import { operator, participantConsole } from "@curtail/contract";
import { beforeAll, describe, expect, test } from "vitest";
import { untilAlarms } from "../../support/alarms.js";
import { ahead, newDispatch, newProgram } from "../../support/dispatching.js";
import { evidenceOf, said, untilHappened } from "../../support/evidence.js";
import { expectError } from "../../support/expect-error.js";
import { newBrowser } from "../../support/people.js";
import { type Participant, type Running, running } from "../../support/running.js";
import { mailRows, poll, unreachable } from "../../support/unreachable.js";

let service: Running;

beforeAll(async () => {
  service = await running();
});

interface Said {
  readonly account_id: string;
  readonly at?: string;
  readonly modification_number?: number;
  readonly person?: string;
  readonly note?: string;
}

const phone = (id: string, body: Said) =>
  service.operator(operator.recordPhoneCall, {
    params: { id },
    body: { person: "Ana Lopez", note: "starts the generator", ...body },
  });

const dispatched = async (times: object = {}) => {
  const participant = await service.newParticipant({ name: "Mills" });
  const programId = await newProgram(service, [participant]);
  const { id } = await newDispatch(service, programId, times);
  return { participant, account_id: participant.accountId, id, programId };
};

const unsent = (id: string, count: number) =>
  poll(async () => (await mailRows(service, id)).filter(({ state }) => state === "no_contacts").length, count);

const attention = async (id: string) => service.made(operator.getDispatchAttention, { params: { id } });

describe("an account that was notified by phone", () => {
  test("counts as reached: its alarm clears, and the board and the evidence say so", async () => {
    const { account_id, id } = await dispatched();
    await unsent(id, 1);
    const about = { kind: "notice_failed", id };
    await untilAlarms(service, about, 1);
    expect(await attention(id)).toMatchObject({ accounts: 1, reached: 0, unreached: [{ account_id, contact: null }] });
    const { status, body } = await phone(id, { account_id });
    expect(status).toBe(201);
    expect(body).toMatchObject({ modification_number: 0, at: ahead(service, {}), by: "operator", by_name: null });
    expect(await attention(id)).toMatchObject({ reached: 1, reached_by: { phone: 1, rest: 0 }, unreached: [] });
    const [item] = (await evidenceOf(service, id)).filter(({ channel }) => channel === "phone");
    expect(item).toMatchObject({
      what: "reached",
      account_id,
      detail: { modification_number: 0, person: "Ana Lopez", note: "starts the generator", by: "operator" },
    });
    await untilAlarms(service, about, 0);
  });

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

  test("is not notified of a change made after the call, whenever the call is recorded", async () => {
    const { account_id, id } = await dispatched();
    const calledAt = ahead(service, { seconds: 10 });
    service.clock.advance({ seconds: 60 });
    await service.made(operator.changeDispatch, { params: { id }, body: { end_time: ahead(service, { hours: 5 }) } });
    expect((await phone(id, { account_id, at: calledAt })).body).toMatchObject({
      modification_number: 0,
      at: calledAt,
    });
    expect((await phone(id, { account_id, modification_number: 0 })).body).toMatchObject({ modification_number: 0 });
    expect(await attention(id)).toMatchObject({ modification_number: 1, reached: 0 });
    expectError(
      await phone(id, { account_id, at: calledAt, modification_number: 1 }),
      400,
      /before modification 1.*leave modification_number out/,
    );
    expect((await phone(id, { account_id })).body).toMatchObject({ modification_number: 1 });
    expect(await attention(id)).toMatchObject({ reached: 1, reached_by: { phone: 1 } });
    // Each call stays in the evidence.
    expect(said(await evidenceOf(service, id)).filter((each) => each === "phone reached")).toHaveLength(3);
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

  test("has one call if the request is repeated", async () => {
    const { account_id, id } = await dispatched();
    const headers = { "idempotency-key": `call-${id}` };
    const body = { account_id, person: "Ana", note: "x" };
    const send = () => service.operator(operator.recordPhoneCall, { params: { id }, body, headers });
    expect((await send()).body).toEqual((await send()).body);
    expect((await attention(id)).reached_by.phone).toBe(1);
    expect(said(await evidenceOf(service, id)).filter((each) => each === "phone reached")).toHaveLength(1);
  });
});

describe("a call is refused", () => {
  let other: Participant;

  beforeAll(async () => {
    other = await service.newParticipant();
  });

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

  test("for an auditor", async () => {
    const { account_id, id } = await dispatched();
    const auditor = await newBrowser(service, "auditor");
    const body = { account_id, person: "Ana", note: "x" };
    const answer = await auditor.operator(operator.recordPhoneCall, { params: { id }, body });
    expectError(answer, 404, /for the role auditor/);
  });
});

describe("a cancelled dispatch", () => {
  test("may still be told by phone until it would have ended", async () => {
    const { account_id, id } = await dispatched({ end_time: ahead(service, { hours: 2 }) });
    await service.made(operator.changeDispatch, { params: { id }, body: { authorized: false } });
    expect((await phone(id, { account_id })).body).toMatchObject({ modification_number: 1 });
  });
});
