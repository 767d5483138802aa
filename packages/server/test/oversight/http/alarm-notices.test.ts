import { createTestDispatch, operator } from "@curtail/contract";
import { receiver } from "@curtail/testing/receiver";
import { beforeAll, describe, expect, test } from "vitest";
import { advisoryLocks } from "../../../src/platform/database/advisory-locks.js";
import { type About, acknowledge, alarmsAbout, judgeOnce, resend, untilAlarms } from "../../support/alarms.js";
import { ahead, newDispatch, newProgram } from "../../support/dispatching.js";
import { recorded } from "../../support/recorded.js";
import { type Running, running } from "../../support/running.js";
import { failForGood, mailRows, poll, subscribe, unreachable } from "../../support/unreachable.js";

// Reliability R3 and R9: no dispatch without a success, a mail or an alarm; 15 s without delivery need a person.
let service: Running;

beforeAll(async () => {
  service = await running();
});

const undelivered = (id: string, state?: About["state"]): About => ({ kind: "notice_undelivered", id, state });
const failed = (id: string, state?: About["state"]): About => ({ kind: "notice_failed", id, state });

const pendingDeliveries = async (dispatchId: string): Promise<number> => {
  const { items } = (await service.operator(operator.listDispatchDeliveries, { params: { id: dispatchId } })).body;
  return items.filter(({ state }) => state === "pending").length;
};

/** Number of mails about a dispatch that went to nobody. */
const unsentMails = async (dispatchId: string): Promise<number> =>
  (await mailRows(service, dispatchId)).filter(({ state }) => state !== "waiting" && state !== "sent").length;

describe("a notice that is not delivered", () => {
  test("is raised when it was due for more than 15 s, once, and cleared when it is delivered", async () => {
    const { programId, hooks } = await unreachable(service, []);
    const { id } = await newDispatch(service, programId);
    await recorded(service, id, 2);
    service.clock.advance({ seconds: 10 });
    await recorded(service, id, 4);
    await judgeOnce(service);
    expect(await alarmsAbout(service, undelivered(id))).toEqual([]);
    const [alarm] = await untilAlarms(service, undelivered(id), 1);
    expect(alarm).toEqual({
      id: expect.stringMatching(/^alm_/),
      kind: "notice_undelivered",
      subject: id,
      account_id: null,
      account_name: null,
      message: expect.stringMatching(/ is not delivered yet to 2 webhooks\. See `curtail admin dispatches deliveries /),
      raised_at: ahead(service, {}),
      acknowledged_at: null,
      cleared_at: null,
      contact: null,
      note: null,
    });
    await judgeOnce(service);
    expect(await alarmsAbout(service, undelivered(id))).toEqual([alarm]);
    // One that is refused after the clock has moved is not repeated by then.
    await recorded(service, id, 6);
    for (const each of hooks) each.answer = 200;
    service.clock.advance({ seconds: 60 });
    await poll(() => pendingDeliveries(id), 0);
    await untilAlarms(service, undelivered(id), 0);
    expect(await alarmsAbout(service, undelivered(id, "cleared"))).toEqual([
      { ...alarm, cleared_at: expect.any(String) },
    ]);
  });

  test("is raised too when nobody has sent it out, whatever its dispatch, and once for several accounts", async () => {
    const [anna, ben] = [await service.newParticipant(), await service.newParticipant()];
    for (const each of [anna, ben]) await subscribe(each, await receiver());
    const expander = await service.database.pool.connect();
    await expander.query("select pg_advisory_lock($1)", [advisoryLocks.expansion]);
    const { id } = await newDispatch(service, await newProgram(service, [anna, ben]));
    const hours = { start_time: ahead(service, { hours: 1 }), end_time: ahead(service, { hours: 2 }) };
    const { id: own } = (await anna.call(createTestDispatch, { body: hours })).body;
    service.clock.advance({ seconds: 16 });
    const [alarm] = await untilAlarms(service, undelivered(id), 1);
    expect(alarm?.message).toMatch(/no process has sent it\. Check that a process with the role worker is running\.$/);
    // Participants' own tests raise no alarms (G47).
    expect(await alarmsAbout(service, undelivered(own))).toEqual([]);
    await expander.query("select pg_advisory_unlock($1)", [advisoryLocks.expansion]);
    expander.release();
    await recorded(service, id, 2);
    await recorded(service, own, 1);
    await untilAlarms(service, undelivered(id), 0);
    await untilAlarms(service, undelivered(own), 0);
  });

  test("acknowledged is not raised again while it lasts, and is raised anew when it happens again", async () => {
    const { programId, hooks } = await unreachable(service, [], 1);
    const { id } = await newDispatch(service, programId);
    await recorded(service, id, 1);
    service.clock.advance({ seconds: 16 });
    await recorded(service, id, 2);
    const [first] = await untilAlarms(service, undelivered(id), 1);
    await acknowledge(service, first?.id);
    await judgeOnce(service);
    expect(await alarmsAbout(service, undelivered(id))).toMatchObject([{ id: first?.id, cleared_at: null }]);
    await recorded(service, id, 3);
    for (const each of hooks) each.answer = 200;
    service.clock.advance({ seconds: 60 });
    await poll(() => pendingDeliveries(id), 0);
    await untilAlarms(service, undelivered(id), 0);
    for (const each of hooks) each.answer = 503;
    await service.made(operator.changeDispatch, { params: { id }, body: { authorized: false } });
    await poll(() => pendingDeliveries(id), 1);
    service.clock.advance({ seconds: 16 });
    const [second] = await untilAlarms(service, undelivered(id), 1);
    expect(second?.id).not.toBe(first?.id);
    expect(second?.acknowledged_at).toBeNull();
  });
});

describe("a notice that failed for good", () => {
  test("is raised for each account that neither webhook nor mail has reached, though the dispatch is over", async () => {
    const [anna, ben] = [await unreachable(service, ["anna@mills.example"]), await unreachable(service, [], 1)];
    const program = await newProgram(service, [anna.participant, ben.participant]);
    const { id } = await newDispatch(service, program, { end_time: ahead(service, { hours: 2 }) });
    await failForGood(service, id, 3);
    await poll(() => unsentMails(id), 2);
    service.clock.advance({ hours: 3 });
    const alarms = await untilAlarms(service, failed(id), 2);
    expect(alarms).toContainEqual({
      id: expect.stringMatching(/^alm_/),
      kind: "notice_failed",
      subject: expect.stringMatching(/^mail_/),
      account_id: anna.participant.accountId,
      account_name: expect.any(String),
      message: expect.stringMatching(
        /no webhook, poll or VEN confirmed it .* no mail server; set CURTAIL_SMTP_URL\. Contact Night shift, anna@mills/,
      ),
      raised_at: expect.any(String),
      acknowledged_at: null,
      cleared_at: null,
      contact: { name: "Night shift", email: expect.stringMatching(/^anna@mills/), phone: null },
      note: null,
    });
    const none = { account_id: ben.participant.accountId, message: expect.stringContaining("it has no contact") };
    expect(alarms).toContainEqual(expect.objectContaining(none));
    await judgeOnce(service);
    expect(await alarmsAbout(service, failed(id))).toEqual(alarms);
  });

  test("stands until it is acknowledged, which clears it for good", async () => {
    const { programId } = await unreachable(service, [], 1);
    const { id } = await newDispatch(service, programId);
    await failForGood(service, id, 1);
    await poll(() => unsentMails(id), 1);
    const [alarm] = await untilAlarms(service, failed(id), 1);
    const done = { ...alarm, acknowledged_at: ahead(service, {}), cleared_at: ahead(service, {}) };
    expect((await acknowledge(service, alarm?.id)).body).toEqual(done);
    await judgeOnce(service);
    expect(await alarmsAbout(service, failed(id, "all"))).toEqual([done]);
  });

  test("is cleared where another webhook of the account takes it later", async () => {
    const { hooks, participant } = await unreachable(service, [], 2);
    const other = await unreachable(service, [], 1);
    const { id } = await newDispatch(service, await newProgram(service, [participant, other.participant]));
    await failForGood(service, id, 3);
    await poll(() => unsentMails(id), 2);
    await untilAlarms(service, failed(id), 2);
    // Resets one of the first account's deliveries to before its last attempt.
    await service.database.pool.query(
      `update messages set state = 'pending', failures = 4, next_attempt_at = $2 where seq = (
         select min(messages.seq) from messages join webhooks on webhooks.id = recipient
         where subject = $1 and webhooks.account_id = $3)`,
      [id, new Date(ahead(service, { minutes: 1 })), participant.accountId],
    );
    for (const hook of hooks) hook.answer = 200;
    service.clock.advance({ minutes: 1 });
    await poll(() => pendingDeliveries(id), 0);
    const [left] = await untilAlarms(service, failed(id), 1);
    expect(left?.account_id).toBe(other.participant.accountId);
  });

  test("is cleared once a delivery that is sent again is taken, and names the account in words", async () => {
    const { hooks, programId, participant } = await unreachable(service, [], 1);
    const { id } = await newDispatch(service, programId);
    await failForGood(service, id, 1);
    await poll(() => unsentMails(id), 1);
    const [alarm] = await untilAlarms(service, failed(id), 1);
    const { name } = (await service.operator(operator.getAccount, { params: { id: participant.accountId } })).body;
    expect(alarm).toMatchObject({ account_id: participant.accountId, account_name: name });
    await resend(service, id);
    await judgeOnce(service);
    expect(await alarmsAbout(service, failed(id))).toHaveLength(1);
    for (const hook of hooks) hook.answer = 200;
    await resend(service, id);
    await untilAlarms(service, failed(id), 0);
    const [over] = await alarmsAbout(service, failed(id, "cleared"));
    expect(over).toMatchObject({ id: alarm?.id, acknowledged_at: null, cleared_at: expect.any(String) });
  });

  test("is not raised for a participant's own test dispatch, which mails nobody (G31)", async () => {
    const { participant } = await unreachable(service, [], 1);
    const hours = { start_time: ahead(service, { hours: 1 }), end_time: ahead(service, { hours: 2 }) };
    const { id } = (await participant.call(createTestDispatch, { body: hours })).body;
    await failForGood(service, id, 1);
    await judgeOnce(service);
    expect(await alarmsAbout(service, failed(id))).toEqual([]);
  });
});
