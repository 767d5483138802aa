import { afterAll, beforeAll, expect, test } from "vitest";
import { settleOverdue } from "../../../src/notification/operations/escalate-owed.js";
import { owedStore } from "../../../src/notification/storage/owed-store.js";
import { conditionsOf } from "../../../src/oversight/storage/alarm-look-store.js";
import { cloneDatabase, type TestDatabase } from "../../support/database.js";

const now = new Date("2026-07-01T18:00:00Z");
let database: TestDatabase;

beforeAll(async () => {
  database = await cloneDatabase();
  const { pool } = database;
  await pool.query(`
    insert into accounts (id, name, disabled, created_at)
      select 'acc_' || number, 'One', false, now() from generate_series(1, 10000) as number;
    insert into webhooks (id, account_id, url, events, secret, created_at)
      select 'wh_' || number, 'acc_' || number, 'http://127.0.0.1/', '{dispatch.create}', 'whsec_', now()
      from generate_series(1, 10000) as number;
    insert into dispatches (id, program_id, program_name, program_timezone, program_market, program_type, test, authorized,
        start_time, notification_time, modification_number, created_at, changed_at)
      values ('dis_1', 'prg_test_dispatch', '', 'UTC', '', 'not_specified', true, true, now(), now(), 0, now(), now());
    insert into notices (dispatch_id, event, modification_number, due_at, state)
      values ('dis_1', 'dispatch.create', 0, now(), 'sent'), ('dis_1', 'dispatch.update', 1, now(), 'sent')`);
  await pool.query("vacuum analyze messages, escalations");
  // Half of the accounts received the change.
  await pool.query(`
    insert into messages (id, recipient, subject, notice_seq, event, state, created_at)
      select 'dlv_' || webhooks.seq || '_' || notices.seq, webhooks.id, dispatch_id, notices.seq, event,
        case when event = 'dispatch.update' and webhooks.seq % 2 = 0 then 'delivered' else 'failed' end, now()
      from webhooks, notices`);
  await pool.query(`
    insert into messages (id, channel, recipient, account_id, detail, notice_seq, subject, event, state, reason, created_at, ended_at)
      select 'mail_' || accounts.seq || '_' || notices.seq, 'email', accounts.id, accounts.id, '{}', notices.seq, dispatch_id, event, 'failed', 'kept',
        now(), now()
      from accounts, notices;
    insert into escalations (message_id, overdue_at) select id, now() from messages where channel = 'email'`);
});
afterAll(() => database.drop());

test("10,000 unreached accounts are settled and found, though the planner last saw no deliveries", async () => {
  await settleOverdue(owedStore(database.pool), now);
  const found = await conditionsOf(database.pool, now, ["notice_failed"]);
  expect(new Set(found.map(({ accountId }) => accountId)).size).toBe(5_000);
  expect(found.filter(({ message }) => !message.includes("(dispatch.update)"))).toEqual([]);
}, 10_000);
