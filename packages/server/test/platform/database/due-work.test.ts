import type pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { dueMessages } from "../../../src/dispatch/storage/mailbox.js";
import { dueDeliveries } from "../../../src/notification/storage/delivery-queue.js";
import { mailChannel } from "../../../src/notification/storage/mail-queue.js";
import { dueLooks } from "../../../src/notification/storage/owed-store.js";
import { personalChannel } from "../../../src/notification/storage/personal-notice-queue.js";
import { phoneChannel } from "../../../src/notification/storage/phone-messages.js";
import { dueVenPushes } from "../../../src/openadr/storage/push-queue.js";
import { dueVenNotices } from "../../../src/openadr/storage/ven-notice-store.js";
import { notificationChannel } from "../../../src/openadr-3/storage/notification-queue.js";
import { dueCorrections } from "../../../src/performance/storage/correction-store.js";
import { openTimetablePool } from "../../../src/platform/database/database.js";
import { type DueWork, dueTimes } from "../../../src/platform/database/due-work.js";
import { dueFaults } from "../../../src/platform/database/follower-store.js";
import { dueRehearsals } from "../../../src/sandbox/storage/rehearsal-notices.js";
import { dueStatementWork } from "../../../src/settlement/storage/due-statements.js";
import { cloneDatabase, type TestDatabase } from "../../support/database.js";
import { testSecretBox } from "../../support/secret-box.js";

const dueMails = dueMessages(mailChannel({ hasServer: true }));

const all: readonly DueWork[] = [
  ...Object.values(dueDeliveries("")),
  ...Object.values(dueDeliveries("sandbox.")),
  dueVenNotices,
  dueMails,
  dueMessages(phoneChannel),
  dueLooks,
  dueMessages(personalChannel("push", testSecretBox)),
  dueMessages(personalChannel("mail", testSecretBox)),
  dueRehearsals,
  dueFaults,
  dueMessages(notificationChannel(testSecretBox)),
  dueVenPushes,
  dueCorrections,
  dueStatementWork,
];

let database: TestDatabase;
let pool: pg.Pool;

beforeAll(async () => {
  database = await cloneDatabase();
  pool = openTimetablePool(database.servicePool, () => {});
});

afterAll(async () => {
  await pool.end();
  await database.drop();
});

const mailsAt = async (now: Date) => (await dueTimes(pool)(all, now))[all.indexOf(dueMails)];

test("nothing is due in a new database, and each kind has a name of its own", async () => {
  expect(await dueTimes(pool)(all, new Date())).toEqual(all.map(() => null));
  expect(new Set(all.map(({ name }) => name)).size).toBe(all.length);
});

test("every time is found by an index, by a plan that was made while the tables were empty", async () => {
  const client = await pool.connect();
  try {
    for (const { name, next } of all) {
      await client.query(`prepare due (timestamptz) as select (${next}) where $1 is not null`);
      const { rows } = await client.query<{ "QUERY PLAN": string }>("explain (costs off) execute due (now())");
      await client.query("deallocate due");
      const plan = rows.map((row) => row["QUERY PLAN"]).join("\n");
      expect(plan, name).toContain("Index");
      expect(plan, name).not.toMatch(/Seq Scan|Sort/);
    }
  } finally {
    client.release();
  }
});

test("a notice is due at its time, to webhooks and VENs", async () => {
  const at = new Date("2026-07-01T12:00:00Z");
  await database.pool.query(
    `insert into dispatches (id, program_id, program_name, program_timezone, program_market, program_type, test, authorized,
        start_time, notification_time, modification_number, created_at, changed_at)
     values ('dis_1', 'prg_test_dispatch', '', 'UTC', '', 'not_specified', true, true, $1, $1, 0, $1, $1)`,
    [at],
  );
  await database.pool.query(
    "insert into notices (dispatch_id, event, due_at, owed_look_at) values ('dis_1', 'dispatch.create', $1, $1)",
    [at],
  );
  const concerned = [dueDeliveries("").notices, dueVenNotices, dueLooks];
  const names = concerned.map(({ name }) => name);
  // It is none of the sandbox's, and not behind.
  expect(await dueTimes(pool)(all, new Date(0))).toEqual(all.map(({ name }) => (names.includes(name) ? at : null)));
});

test("what a worker holds is not due before its lease ends", async () => {
  const [at, until] = [new Date("2026-07-01T12:00:00Z"), new Date("2026-07-01T12:00:13Z")];
  await database.pool.query(
    `insert into accounts (id, name, disabled, created_at) values ('acc_1', 'One', false, $1)`,
    [at],
  );
  await database.pool.query(
    `insert into messages (id, channel, recipient, account_id, notice_seq, subject, event, detail, next_attempt_at, created_at, leased_until)
     select 'mail_1', 'email', 'acc_1', 'acc_1', seq, dispatch_id, event, '{}', $1, $1, $2 from notices`,
    [at, until],
  );
  expect(await mailsAt(at)).toBeNull();
  expect(await mailsAt(until)).toEqual(at);
});
