import { operator } from "@curtail/contract";
import { type Mailbox, mailbox } from "@curtail/testing/mailbox";
import { beforeAll, describe, expect, test } from "vitest";
import { advisoryLocks } from "../../../src/platform/database/advisory-locks.js";
import { alarms, alarmsAbout, judgeOnce, judgeUnlessTaken, resend, untilAlarms } from "../../support/alarms.js";
import { ahead, newDispatch } from "../../support/dispatching.js";
import { left, now, prepare, service, stuck, subscribed } from "../../support/operator-alarms.js";
import { recorded } from "../../support/recorded.js";
import { type Running, running } from "../../support/running.js";
import { failForGood, mailRows, poll, subscribe, unreachable } from "../../support/unreachable.js";

beforeAll(prepare);

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

  test("is over once the failed delivery was sent again and taken: everything of the account was reached", async () => {
    const { id, hooks } = await partlyReached();
    for (const [index, seconds] of [10, 30].entries()) {
      await poll(() => failures(id), index + 1);
      mailing.clock.advance({ seconds });
    }
    await poll(() => failures(id), 3);
    await untilAlarms(mailing, stuck(id), 1);
    await resend(mailing, id);
    await judgeOnce(mailing);
    expect(await alarmsAbout(mailing, stuck(id))).toHaveLength(1);
    for (const hook of hooks) hook.answer = 200;
    await resend(mailing, id);
    await untilAlarms(mailing, stuck(id), 0);
    await inbox.open();
  });

  test("and is given up after a day is over, since its account was reached otherwise", async () => {
    const { id } = await partlyReached();
    for (const [index, seconds] of [10, 30].entries()) {
      await poll(() => failures(id), index + 1);
      mailing.clock.advance({ seconds });
    }
    await poll(() => failures(id), 3);
    await untilAlarms(mailing, stuck(id), 1);
    mailing.clock.advance({ days: 1 });
    await poll(async () => (await mailRows(mailing, id))[0]?.state, "expired");
    await untilAlarms(mailing, stuck(id), 0);
    expect(await alarmsAbout(mailing, { kind: "notice_failed", id, state: "all" })).toEqual([]);
    await inbox.open();
  });

  test("of an account that nothing reached is a notice that failed, before and after it is given up", async () => {
    const { programId } = await unreachable(mailing, ["anna@mills.example"], 0);
    await inbox.close();
    const { id } = await newDispatch(mailing, programId);
    for (const [index, seconds] of [10, 30].entries()) {
      await poll(() => failures(id), index + 1);
      mailing.clock.advance({ seconds });
    }
    await poll(() => failures(id), 3);
    const about = { kind: "notice_failed", id };
    const before = await untilAlarms(mailing, about, 1);
    mailing.clock.advance({ days: 1 });
    await poll(async () => (await mailRows(mailing, id))[0]?.state, "expired");
    await judgeOnce(mailing);
    expect(await alarmsAbout(mailing, about)).toEqual(before);
    expect(await alarmsAbout(mailing, { ...stuck(id), state: "all" })).toEqual([]);
    await inbox.open();
  });
});

// L35: a participant that deletes its last webhook is not notified of changes.
describe("the last webhook of an account", () => {
  test.each([
    ["over", { end_time: () => now() }],
    ["cancelled", { authorized: () => false }],
  ])("is no alarm any more once the dispatch is %s", async (_, change) => {
    const { participant, hook, webhookId, remove, program } = await subscribed();
    const { id } = await newDispatch(service, program, { start_time: ahead(service, { seconds: -60 }) });
    await hook.notices(1);
    await remove(webhookId);
    expect(await alarmsAbout(service, left(participant.accountId))).toHaveLength(1);
    const body = Object.fromEntries(Object.entries(change).map(([name, value]) => [name, value()]));
    await service.made(operator.changeDispatch, { params: { id }, body });
    await untilAlarms(service, left(participant.accountId), 0);
  });

  test("is no alarm where another is left, no dispatch runs, or the dispatch came or is told of later", async () => {
    const two = await subscribed();
    await subscribe(two.participant, two.hook);
    await newDispatch(service, two.program);
    await two.hook.notices(2);
    const idle = await subscribed();
    const early = await subscribed();
    await newDispatch(service, early.program, { notification_time: ahead(service, { minutes: 30 }) });
    for (const { remove, webhookId } of [two, idle, early]) await remove(webhookId);
    service.clock.advance({ seconds: 1 });
    await newDispatch(service, idle.program);
    service.clock.advance({ minutes: 31 });
    await judgeOnce(service);
    for (const { participant } of [two, idle, early])
      expect(await alarmsAbout(service, left(participant.accountId))).toEqual([]);
  });
});

describe("alarms", () => {
  test("are judged by one process at a time", async () => {
    const other = await running();
    const { programId } = await unreachable(other, [], 1);
    const { id } = await newDispatch(other, programId);
    await recorded(other, id, 1);
    const process = await other.database.pool.connect();
    await process.query("select pg_advisory_lock($1)", [advisoryLocks.alarms]);
    other.clock.advance({ seconds: 16 });
    await judgeUnlessTaken(other);
    expect(await alarms(other)).toEqual([]);
    await process.query("select pg_advisory_unlock($1)", [advisoryLocks.alarms]);
    process.release();
    await untilAlarms(other, { kind: "notice_undelivered", id }, 1);
  });

  test("are judged again once the database is back", async () => {
    const other = await running();
    const { programId } = await unreachable(other, [], 1);
    const { id } = await newDispatch(other, programId);
    await recorded(other, id, 1);
    await other.database.cutOff();
    other.clock.advance({ seconds: 16 });
    await expect.poll(async () => (await other.operator(operator.listAlarms)).status).toBe(500);
    await other.database.letIn();
    await untilAlarms(other, { kind: "notice_undelivered", id }, 1);
  });
});
