import type pg from "pg";
import { afterEach, beforeEach, expect, test } from "vitest";
import { mailbox } from "../../../src/dispatch/storage/mailbox.js";
import { type ClaimedMail, mailOutcome, uncorrectedOutcome } from "../../../src/notification/domain/mail.js";
import { mailChannel } from "../../../src/notification/storage/mail-queue.js";
import { dropOutdatedNotices } from "../../../src/notification/storage/outdated-notices.js";
import { leaseFrom } from "../../../src/platform/worker/leased-worker.js";
import { cloneDatabase, type TestDatabase } from "../../support/database.js";

const [A, B] = [
  { name: "Ana", email: "a@mills.example" },
  { name: "Bo", email: "b@mills.example" },
];
const NOW = new Date("2026-07-01T12:00:00Z");
const after = (seconds: number) => new Date(NOW.getTime() + seconds * 1000);

let database: TestDatabase;
let pool: pg.Pool;

beforeEach(async () => {
  database = await cloneDatabase();
  pool = database.servicePool;
  await database.pool.query(`
    insert into accounts (id, name, disabled, created_at) values ('acc_1', 'One', false, now()), ('acc_2', 'Two', false, now());
    insert into contacts (id, account_id, name, email, created_at)
      values ('con_a', 'acc_1', '${A.name}', '${A.email}', now()), ('con_b', 'acc_1', '${B.name}', '${B.email}', now());
    insert into dispatches (id, program_id, program_name, program_timezone, program_market, program_type, test, authorized, start_time, end_time,
        notification_time, modification_number, created_at, changed_at)
      select id, 'prg_test_dispatch', '', 'UTC', '', 'not_specified', true, true, '2026-07-01Z', '2026-07-02Z', '2026-07-01Z', 0, now(), now()
      from unnest(array['dis_1', 'dis_2']) as id;
    insert into notices (dispatch_id, event, due_at, state) select id, 'dispatch.create', now(), 'sent' from dispatches order by id`);
});
afterEach(() => database.drop());

/** One to the first account, which has contacts, and one of each dispatch to the second. */
const written = (accounts: string) =>
  database.pool.query(`
    insert into messages (id, channel, recipient, account_id, detail, notice_seq, subject, event, next_attempt_at, created_at)
    select 'mail_' || substr(accounts.id, 5) || notices.seq, 'email', accounts.id, accounts.id, '{}', notices.seq, dispatch_id, event,
      '${NOW.toISOString()}', '${NOW.toISOString()}'
    from notices join accounts on accounts.id = any('{${accounts}}') and (notices.seq = 1 or accounts.id = 'acc_2')`);

/** Over connections of its own: a process has a mail server or none, and names its statements once. */
const queueOf = (hasServer: boolean) => mailbox(hasServer ? pool : database.pool, mailChannel({ hasServer }));
const claimAt = async (now: Date, { hasServer = true, limit = 20 } = {}) =>
  queueOf(hasServer).claim({ now, leasedUntil: leaseFrom(now), lapsedBefore: now, limit });
const claimedAt = async (now: Date): Promise<ClaimedMail> => {
  const [mail] = (await claimAt(now)).claimed;
  if (mail === undefined) throw new Error("nothing was claimed");
  return mail;
};
const record = (item: ClaimedMail, outcome: ReturnType<typeof mailOutcome>) =>
  queueOf(true).record([{ item, outcome }]);
const handover = (
  ...recipients: ReadonlyArray<typeof A & { readonly answer: "accepted" | "deferred" | "refused" }>
) => ({
  recipients: recipients.map((each) => ({ ...each, reply: each.answer === "accepted" ? null : "later" })),
  modificationNumber: 3,
  subject: "Reduce",
  text: "Please reduce",
});
const taken = { ...A, answer: "accepted" } as const;
const deferred = { ...B, answer: "deferred" } as const;
const rows = async () =>
  (
    await pool.query(
      "select state, failures, modification, reason, ended_at, leased_until is null as is_free from messages order by id",
    )
  ).rows;
const answers = async () =>
  (await pool.query("select number, email, answer from mail_recipients order by number, email")).rows;

test("those that cannot be sent fail without a place, all at once, and say why", async () => {
  await written("acc_1,acc_2");
  const { claimed, unsendable } = await claimAt(NOW, { limit: 0 });
  expect(claimed).toEqual([]);
  const of = { accountId: "acc_2", event: "dispatch.create", reason: "no_contacts" };
  expect(unsendable).toEqual([
    { id: "mail_21", subject: "dis_1", ...of },
    { id: "mail_22", subject: "dis_2", ...of },
  ]);
  expect((await claimAt(NOW)).claimed.map(({ id }) => id)).toEqual(["mail_11"]);
  expect((await claimAt(after(60), { hasServer: false, limit: 0 })).unsendable.map(({ reason }) => reason)).toEqual([
    "kept",
  ]);
  expect((await rows()).map(({ state, ended_at }) => [state, ended_at])).toEqual([
    ["failed", after(60)],
    ["failed", NOW],
    ["failed", NOW],
  ]);
});

test("one that a contact has is pending for the others, each answer is kept, and it is delivered at the time of the first", async () => {
  await written("acc_1");
  const first = await claimedAt(NOW);
  await record(first, mailOutcome(first, { handovers: [handover(taken, deferred)], error: "later" }, after(1)));
  expect(await rows()).toEqual([
    { state: "pending", failures: 1, modification: 3, reason: null, ended_at: after(1), is_free: true },
  ]);
  const again = await claimedAt(after(11));
  expect(again).toMatchObject({ isSent: true, contacts: [A, B], recipients: [B] });
  await record(
    again,
    mailOutcome(again, { handovers: [handover({ ...B, answer: "accepted" })], error: null }, after(12)),
  );
  expect(await rows()).toEqual([
    { state: "delivered", failures: 1, modification: 3, reason: null, ended_at: after(1), is_free: true },
  ]);
  expect(await answers()).toEqual([
    { number: 1, email: A.email, answer: "accepted" },
    { number: 1, email: B.email, answer: "deferred" },
    { number: 2, email: B.email, answer: "accepted" },
  ]);
});

test("under a lease that another worker took over, a failure changes nothing, and that somebody has it counts", async () => {
  await written("acc_1");
  const lost = await claimedAt(NOW);
  const held = await claimedAt(after(60));
  await record(lost, mailOutcome(lost, { handovers: [], error: "timeout" }, after(61)));
  await record(lost, mailOutcome({ ...lost, isSent: true }, { handovers: [], error: "timeout" }, after(90_000)));
  await record(lost, uncorrectedOutcome(lost, after(90_000)));
  expect(await rows()).toMatchObject([{ state: "pending", failures: 0, ended_at: null, is_free: false }]);
  await record(lost, mailOutcome(lost, { handovers: [handover(taken, deferred)], error: "later" }, after(62)));
  expect(await rows()).toMatchObject([{ state: "pending", failures: 1, modification: 3, ended_at: after(62) }]);
  await record(
    held,
    mailOutcome(held, { handovers: [handover({ ...B, answer: "accepted" })], error: null }, after(63)),
  );
  expect(await rows()).toMatchObject([{ state: "delivered", failures: 1, ended_at: after(62) }]);
});

test("once all contacts are refused for good it waits a minute at a time for a corrected one, and is given up after a day", async () => {
  await written("acc_1");
  const first = await claimedAt(NOW);
  const refused = handover({ ...A, answer: "refused" }, { ...B, answer: "refused" });
  await record(first, mailOutcome(first, { handovers: [refused], error: "no" }, after(1)));
  const waiting = await claimedAt(after(11));
  expect(waiting.recipients).toEqual([]);
  await record(waiting, uncorrectedOutcome(waiting, after(11)));
  expect((await claimAt(after(70))).claimed).toEqual([]);
  await database.pool.query("update contacts set email = 'ana@mills.example' where id = 'con_a'");
  const corrected = await claimedAt(after(71));
  expect(corrected.recipients).toEqual([{ name: A.name, email: "ana@mills.example", language: null }]);
  await database.pool.query("update contacts set email = $1 where id = 'con_a'", [A.email]);
  const old = await claimedAt(after(86_400));
  await record(old, uncorrectedOutcome(old, after(86_400)));
  expect(await rows()).toMatchObject([{ state: "failed", failures: 1, reason: "expired", ended_at: after(86_400) }]);
});

const HALF_SENT = `update messages set modification = 3, ended_at = '${after(1).toISOString()}'`;

test.each([
  ["its account is disabled", "update accounts set disabled = true"],
  ["every contact has it", `delete from contacts`],
])("one that a contact has is delivered, not dropped, once %s", async (_, change) => {
  await written("acc_1");
  await database.pool.query(`${HALF_SENT}; ${change}`);
  expect((await claimAt(after(60))).claimed).toEqual([]);
  expect(await rows()).toMatchObject([{ state: "delivered", reason: null, ended_at: after(1) }]);
});

test("one that a contact has is delivered, not dropped, by a release after its dispatch", async () => {
  await written("acc_1,acc_2");
  await database.pool.query(`${HALF_SENT} where account_id = 'acc_1'`);
  const dropped = await dropOutdatedNotices(database.pool, after(86_400));
  expect(dropped.get("mail")).toBe(3);
  expect(await rows()).toMatchObject([
    { state: "delivered", reason: null, ended_at: after(1) },
    { state: "dropped", reason: "outdated", ended_at: after(86_400) },
    { state: "dropped", reason: "outdated", ended_at: after(86_400) },
  ]);
});
