import { deleteWebhook, operator } from "@curtail/contract";
import { type Mailbox, mailbox } from "@curtail/testing/mailbox";
import { receiver } from "@curtail/testing/receiver";
import { beforeAll, describe, expect, test } from "vitest";
import {
  type About,
  type Alarm,
  acknowledge,
  alarms,
  alarmsAbout,
  judgeOnce,
  untilAlarms,
} from "../../support/alarms.js";
import { newDispatch, newProgram } from "../../support/dispatching.js";
import { expectError } from "../../support/expect-error.js";
import { left, now, prepare, service, stuck, subscribed } from "../../support/operator-alarms.js";
import { type Running, running } from "../../support/running.js";
import { failForGood, mailRows, poll, subscribe, unreachable } from "../../support/unreachable.js";

beforeAll(prepare);

/** An account with a standing alarm about its last webhook. */
const alarmed = async (): Promise<{ readonly accountId: string; readonly alarm: Alarm }> => {
  const [participant, hook] = [await service.newParticipant(), await receiver()];
  const webhookId = await subscribe(participant, hook);
  await newDispatch(service, await newProgram(service, [participant]));
  await hook.notices(1);
  await participant.call(deleteWebhook, { params: { id: webhookId } });
  const { accountId } = participant;
  const [alarm] = await alarmsAbout(service, left(accountId));
  return { accountId, alarm: alarm as Alarm };
};

describe("a mail that is not taken", () => {
  let inbox: Mailbox;
  let mailing: Running;

  beforeAll(async () => {
    inbox = await mailbox();
    mailing = await running({ CURTAIL_SMTP_URL: inbox.url });
  });

  /** A dispatch that one webhook of an account accepted and another did not, while no mail is accepted. */
  const partlyReached = async () => {
    const { participant, programId, hooks } = await unreachable(mailing, ["anna@mills.example"], 2);
    for (const hook of hooks.slice(1)) hook.answer = 200;
    await inbox.close();
    const { id } = await newDispatch(mailing, programId);
    await failForGood(mailing, id, 1, 1);
    return { participant, id, hooks };
  };
  const failures = async (dispatchId: string): Promise<number> => (await mailRows(mailing, dispatchId))[0]?.failures;

  test("is raised from the third failure on (G31), and cleared when it is sent", async () => {
    const { participant, id } = await partlyReached();
    await poll(() => failures(id), 1);
    mailing.clock.advance({ seconds: 10 });
    await poll(() => failures(id), 2);
    await judgeOnce(mailing);
    expect(await alarmsAbout(mailing, stuck(id))).toEqual([]);
    mailing.clock.advance({ seconds: 30 });
    await poll(() => failures(id), 3);
    const [alarm] = await untilAlarms(mailing, stuck(id), 1);
    expect(alarm).toMatchObject({
      subject: expect.stringMatching(/^mail_/),
      account_id: participant.accountId,
      message: expect.stringMatching(/could not be sent; it failed 3 times \(.+\)\. Check CURTAIL_SMTP_URL/),
    });
    await acknowledge(mailing, alarm?.id);
    mailing.clock.advance({ seconds: 60 });
    await poll(() => failures(id), 4);
    await judgeOnce(mailing);
    expect(await alarmsAbout(mailing, stuck(id))).toMatchObject([
      { id: alarm?.id, acknowledged_at: expect.any(String) },
    ]);
    await inbox.open();
    mailing.clock.advance({ minutes: 5 });
    await poll(async () => (await mailRows(mailing, id))[0]?.state, "sent");
    await untilAlarms(mailing, stuck(id), 0);
    expect(await alarmsAbout(mailing, { kind: "notice_failed", id, state: "all" })).toEqual([]);
  });
});

// L35: a participant that deletes its last webhook is not notified of changes.
describe("the last webhook of an account", () => {
  test("deleted during a dispatch is raised with the deletion, and cleared when there is one again", async () => {
    const { participant, hook, webhookId, remove } = await subscribed();
    const other = await subscribed();
    const program = await newProgram(service, [participant, other.participant]);
    const { id } = await newDispatch(service, program);
    await hook.notices(1);
    await remove(webhookId);
    const [alarm] = await alarmsAbout(service, left(participant.accountId));
    expect(alarm).toEqual({
      id: expect.stringMatching(/^alm_/),
      kind: "last_webhook_deleted",
      group_id: `last_webhook_deleted.${id}`,
      subject: participant.accountId,
      account_id: participant.accountId,
      account_name: expect.any(String),
      message: expect.stringContaining(`deleted its last webhook while it is part of dispatch ${id}: `),
      raised_at: now(),
      acknowledged_at: null,
      words: expect.stringMatching(
        /^Participant \d+ deleted its last webhook: .* changes of Peak on .* from \d\d:\d\d \(Central time\) only by polling\.$/,
      ),
      acknowledged_by: null,
      acknowledged_by_name: null,
      assigned_to: null,
      shelved_until: null,
      cleared_at: null,
      contact: null,
      note: null,
    });
    await judgeOnce(service);
    expect(await alarmsAbout(service, left(participant.accountId))).toEqual([alarm]);
    expect(await alarmsAbout(service, left(other.participant.accountId))).toEqual([]);
    await subscribe(participant, hook);
    await untilAlarms(service, left(participant.accountId), 0);
    expect(await alarmsAbout(service, left(participant.accountId, "cleared"))).toEqual([
      { ...alarm, cleared_at: expect.any(String) },
    ]);
  });

  test("acknowledged is not raised again while the dispatch lasts", async () => {
    const { participant, hook, webhookId, remove, program } = await subscribed();
    await newDispatch(service, program);
    await hook.notices(1);
    await remove(webhookId);
    const [alarm] = await alarmsAbout(service, left(participant.accountId));
    await acknowledge(service, alarm?.id);
    await judgeOnce(service);
    expect(await alarmsAbout(service, left(participant.accountId))).toMatchObject([
      { id: alarm?.id, cleared_at: null },
    ]);
  });
});

describe("alarms", () => {
  test("acknowledged twice are acknowledged and audited once, with who and what", async () => {
    const { accountId, alarm } = await alarmed();
    const first = await acknowledge(service, alarm.id);
    expect(first.body).toEqual({ ...alarm, acknowledged_at: now(), acknowledged_by: "operator" });
    service.clock.advance({ seconds: 1 });
    expect((await acknowledge(service, alarm.id)).body).toEqual(first.body);
    const { items } = (await service.operator(operator.listAudit, { query: { limit: 500 } })).body;
    expect(items.filter(({ subject }) => subject === alarm.id)).toMatchObject([
      {
        action: "alarm.acknowledge",
        actor: "operator",
        account_id: accountId,
        before: { kind: "last_webhook_deleted", acknowledged_at: null },
        after: { kind: "last_webhook_deleted", acknowledged_at: expect.any(String) },
      },
    ]);
  });

  test("are listed newest first by state, in pages; those not cleared unless a state is asked for", async () => {
    const [open, seen, over] = [await alarmed(), await alarmed(), await alarmed()];
    await acknowledge(service, seen.alarm.id);
    await service.database.pool.query("update alarms set cleared_at = raised_at where id = $1", [over.alarm.id]);
    const own = [over, seen, open].map(({ alarm }) => alarm.id);
    const ids = async (state?: About["state"]) =>
      (await alarms(service, state)).map(({ id }) => id).filter((id) => own.includes(id));
    expect(await ids()).toEqual([seen.alarm.id, open.alarm.id]);
    expect(await ids("open")).toEqual([open.alarm.id]);
    expect(await ids("acknowledged")).toEqual([seen.alarm.id]);
    expect(await ids("cleared")).toEqual([over.alarm.id]);
    expect(await ids("all")).toEqual(own);
    const { items, next_cursor } = (await service.operator(operator.listAlarms, { query: { limit: 1 } })).body;
    const rest = (await service.operator("GET", `/alarms?limit=500&cursor=${next_cursor}`)).body.items;
    expect([...items, ...rest]).toEqual(await alarms(service));
  });

  test("that do not exist are not found, and a state that does not exist is refused", async () => {
    expectError(await acknowledge(service, "alm_0"), 404, /No such alarm/);
    expectError(await service.operator("GET", "/alarms?state=new"), 400, /state/);
  });
});
