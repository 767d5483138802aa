import { operatorClient } from "@curtail/client";
import { createWebhook, listDispatches, operator } from "@curtail/contract";
import { gateway } from "@curtail/testing/gateway";
import { type Mailbox, mailbox } from "@curtail/testing/mailbox";
import { type Receiver, receiver } from "@curtail/testing/receiver";
import { beforeAll, expect, test } from "vitest";
import { holdDelivery } from "../../../src/backup/storage/delivery-hold.js";
import { owedStore } from "../../../src/notification/storage/owed-store.js";
import { untilAlarms } from "../../support/alarms.js";
import { cloneDatabase } from "../../support/database.js";
import { ahead, newDispatch, newProgram } from "../../support/dispatching.js";
import { evidenceOf } from "../../support/evidence.js";
import { lookOnce } from "../../support/owed.js";
import { OPERATOR_TOKEN, type Participant, type Running, running } from "../../support/running.js";
import { mailRows } from "../../support/unreachable.js";

/** More than a worker needs to send what it may. */
const LOOKS_MS = 1500;
const PATIENCE = { timeout: 30_000 };

let inbox: Mailbox;
let service: Running;

const heldService = async (settings: Readonly<Record<string, string>> = {}): Promise<Running> => {
  const database = await cloneDatabase();
  const backupAt = new Date(Date.now() - 3_600_000);
  await holdDelivery(database.pool, { heldAt: new Date(), backupAt });
  return running(settings, { database });
};

const noticesOf = ({ received }: Receiver, id: string): number =>
  received.filter(({ resource }) => resource.endsWith(id)).length;

const phoned = async (on: Running, participant: Participant): Promise<void> => {
  const body = { name: "Ana", email: "ana@mills.example", phone: "+1 555 010 0003", sms: true };
  await on.made(operator.createContact, { params: { id: participant.accountId }, body });
};

const soon = (on: Running) => ({
  start_time: ahead(on, { minutes: 1 }),
  end_time: ahead(on, { minutes: 5 }),
});

const hold = (on: Running) => on.made(operator.getDeliveryHold);

beforeAll(async () => {
  inbox = await mailbox();
  service = await heldService({ CURTAIL_SMTP_URL: inbox.url });
});

test("while delivery is held nothing is sent by any channel, polling answers, and the release sends what waited once", async () => {
  const [hooked, mailed, hook] = [await service.newParticipant(), await service.newParticipant(), await receiver()];
  await hooked.call(createWebhook, { body: { url: hook.url, events: [{ name: "dispatch.create" }] } });
  const contact = { name: "Anna", email: "anna@mills.example" };
  await service.made(operator.createContact, { params: { id: mailed.accountId }, body: contact });
  const program = await newProgram(service, [hooked, mailed]);
  const { id } = await newDispatch(service, program);
  const over = await newDispatch(service, program, {
    start_time: ahead(service, { minutes: 1 }),
    end_time: ahead(service, { minutes: 5 }),
  });
  service.clock.advance({ minutes: 10 });
  await new Promise((resolve) => setTimeout(resolve, LOOKS_MS));
  expect([noticesOf(hook, id), noticesOf(hook, over.id)]).toEqual([0, 0]);
  expect(inbox.received).toEqual([]);
  const { body } = await hooked.call(listDispatches);
  expect(body.dispatches.map((dispatch) => dispatch.id)).toContain(id);
  expect(await hold(service)).toMatchObject({ held: true, waiting: 2, outdated: 1 });
  const [alarm] = await untilAlarms(service, { kind: "delivery_held", id: "delivery_hold" }, 1);
  expect(alarm?.message).toContain("sends nothing yet");

  expect(await service.made(operator.releaseDelivery)).toMatchObject({ held: false, waiting: 0, held_at: null });
  await expect.poll(() => noticesOf(hook, id), PATIENCE).toBe(1);
  await expect.poll(() => inbox.received.length, PATIENCE).toBe(1);
  expect(noticesOf(hook, over.id)).toBe(0);
  const { items } = await service.made(operator.listAudit, { query: { action: "delivery_hold.release" } });
  expect(items).toMatchObject([{ actor: "operator", before: { outdated_dispatches: [over.id] }, after: null }]);
  await untilAlarms(service, { kind: "delivery_held", id: "delivery_hold" }, 0);
});

test("releasing delivery that is not held changes nothing, and a service that starts then is not held", async () => {
  const own = await running();
  expect(await hold(own)).toMatchObject({ held: false, held_at: null, backup_at: null });
  await own.made(operator.releaseDelivery);
  const { items } = await own.made(operator.listAudit, { query: { action: "delivery_hold.release" } });
  expect(items).toEqual([]);
});

test("a released service sends at once after a restart", async () => {
  const own = await heldService();
  await own.made(operator.releaseDelivery);
  const [participant, hook] = [await own.newParticipant(), await receiver()];
  await participant.call(createWebhook, { body: { url: hook.url, events: [{ name: "dispatch.create" }] } });
  const program = await newProgram(own, [participant]);
  await own.stop();
  const url = await own.another();
  const body = { program_id: program, start_time: ahead(own, { hours: 1 }) };
  const { id } = await operatorClient({ url, token: OPERATOR_TOKEN }).call(operator.createDispatch, { body });
  await expect.poll(() => noticesOf(hook, id), PATIENCE).toBe(1);
});

test("a release by a process without a gateway leaves what is still due to the processes that have one", async () => {
  const api = { CURTAIL_ROLES: "api", DATABASE_URL: "postgres://127.0.0.1/shared" };
  const [own, phones] = [await heldService(api), await gateway()];
  const participant = await own.newParticipant();
  await phoned(own, participant);
  const program = await newProgram(own, [participant]);
  const due = await newDispatch(own, program);
  await own.database.pool.query("update notices set state = 'sent' where dispatch_id = $1", [due.id]);
  await own.made(operator.releaseDelivery);
  const settings = { CURTAIL_SMS_URL: phones.url, CURTAIL_DATA_DIR: own.dataDir };
  await running(settings, { database: { ...own.database, drop: async () => undefined } });
  await expect.poll(() => phones.about(due.id).length, PATIENCE).toBe(1);
});

test("after the release no account is owed a notice of a dispatch that is over, and its dropped email stays dropped", async () => {
  const own = await heldService({ CURTAIL_SMTP_URL: inbox.url });
  const participant = await own.newParticipant();
  await phoned(own, participant);
  const program = await newProgram(own, [participant]);
  const [over, dropped] = [await newDispatch(own, program, soon(own)), await newDispatch(own, program, soon(own))];
  const of = [[over.id, dropped.id]];
  const { pool } = own.database;
  // Both were expanded before the backup, and the second was due to be mailed again.
  await pool.query("update notices set state = 'sent' where dispatch_id = any($1)", of);
  await pool.query(
    `insert into messages (id, channel, recipient, account_id, detail, notice_seq, subject, event, next_attempt_at, created_at)
     select 'mail_' || seq, 'email', $2, $2, '{}', seq, dispatch_id, event, $3, $3 from notices where dispatch_id = $1`,
    [dropped.id, participant.accountId, own.clock.now()],
  );
  own.clock.advance({ minutes: 10 });
  expect((await pool.query("select from notices where owed_look_at is not null")).rowCount).toBe(2);
  await own.made(operator.releaseDelivery);
  own.clock.advance({ hours: 1 });
  await lookOnce(own);
  expect(await mailRows(own, over.id)).toEqual([]);
  expect(await mailRows(own, dropped.id)).toMatchObject([{ state: "dropped" }]);
  expect(inbox.received.filter(({ content }) => content.includes(over.id) || content.includes(dropped.id))).toEqual([]);
});

test("an email that is needed again after it was dropped has no reason for a drop", async () => {
  const own = await running();
  const participant = await own.newParticipant();
  const { id } = await newDispatch(own, await newProgram(own, [participant]));
  const { pool } = own.database;
  const { rows: notices } = await pool.query("select seq, event from notices where dispatch_id = $1", [id]);
  const { rows: mails } = await pool.query(
    `insert into messages (id, channel, recipient, account_id, detail, notice_seq, subject, event, state, created_at, ended_at, reason)
     values ('mail_again', 'email', $1, $1, '{}', $2, $3, 'dispatch.create', 'dropped', $4, $4, 'outdated')
     on conflict (account_id, notice_seq) where channel = 'email' do update set state = 'dropped', next_attempt_at = null, ended_at = $4,
       reason = 'outdated', leased_until = null
     returning id`,
    [participant.accountId, notices[0].seq, id, own.clock.now()],
  );
  const overdue = [{ accountId: participant.accountId, noticeSeq: notices[0].seq, event: notices[0].event }];
  await owedStore(pool).mail(id, overdue, own.clock.now());
  const { rows } = await pool.query("select ended_at, reason from messages where id = $1", [mails[0].id]);
  expect(rows).toEqual([{ ended_at: null, reason: null }]);
});

test("evidence says by the time since the release why a notification of a person was given up", async () => {
  const own = await heldService();
  const participant = await own.newParticipant();
  const { id } = await newDispatch(own, await newProgram(own, [participant]));
  const released = own.clock.now();
  await own.made(operator.releaseDelivery);
  const hours = (count: number) => new Date(released.getTime() + count * 3_600_000);
  // Made before the hold; one given up before it, one refused soon after the release, and one a day after that.
  const given = [hours(-30), hours(1), hours(25)];
  for (const [index, at] of given.entries())
    await own.database.pool.query(
      `insert into messages (id, channel, recipient, user_id, account_id, subject, event, state, created_at, ended_at, detail)
       values ($1, 'personal_mail', 'usr_one', 'usr_one', $2, $3, 'dispatch.create', 'failed', $4, $5,
         '{"name": "Ana", "error": "550 no such mailbox"}')`,
      [`pnt_${index}`, participant.accountId, id, hours(-60), at],
    );
  const items = await evidenceOf(own, id);
  const reasons = items.flatMap(({ channel, what, detail }) =>
    channel === "personal" && what === "failed" ? [detail.reason] : [],
  );
  expect(reasons).toEqual(["expired", "mail_refused", "expired"]);
});

/** A service that holds delivery, and a receiver of a participant in its program. */
const hooked = async () => {
  const [own, hook] = [await heldService(), await receiver()];
  const participant = await own.newParticipant();
  const events = [{ name: "dispatch.create" as const }, { name: "dispatch.update" as const }];
  await participant.call(createWebhook, { body: { url: hook.url, events } });
  return { own, hook, program: await newProgram(own, [participant]) };
};

const outdatedIn = async (on: Running): Promise<unknown> => {
  await on.made(operator.releaseDelivery);
  const { items } = await on.made(operator.listAudit, { query: { action: "delivery_hold.release" } });
  const { before } = items[0] as unknown as { before: { outdated_dispatches: readonly string[] } };
  return before.outdated_dispatches;
};

test.each([
  ["within a day sends the end of a dispatch that had none", { hours: 23 }, false],
  ["ten days later drops it", { days: 10 }, true],
] as const)("a release %s", async (_what, later, isOver) => {
  const { own, hook, program } = await hooked();
  const { id } = await newDispatch(own, program, { start_time: ahead(own, { minutes: 1 }) });
  own.clock.advance({ minutes: 2 });
  await own.made(operator.changeDispatch, { params: { id }, body: { end_time: ahead(own, { minutes: 5 }) } });
  own.clock.advance(later);
  expect(await outdatedIn(own)).toEqual(isOver ? [id] : []);
  if (isOver) await new Promise((resolve) => setTimeout(resolve, LOOKS_MS));
  await expect.poll(() => noticesOf(hook, id) > 0, PATIENCE).toBe(!isOver);
});

test("an end that a dispatch had before its participants were notified keeps nothing for the release", async () => {
  const { own, hook, program } = await hooked();
  const times = { notification_time: ahead(own, { minutes: 5 }), start_time: ahead(own, { minutes: 10 }) };
  const { id } = await newDispatch(own, program, { ...times, end_time: ahead(own, { hours: 6 }) });
  own.clock.advance({ minutes: 1 });
  await own.made(operator.changeDispatch, { params: { id }, body: { end_time: ahead(own, { minutes: 14 }) } });
  own.clock.advance({ minutes: 30 });
  expect(await outdatedIn(own)).toEqual([id]);
  await new Promise((resolve) => setTimeout(resolve, LOOKS_MS));
  expect(noticesOf(hook, id)).toBe(0);
});
