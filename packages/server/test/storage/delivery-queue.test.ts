import { afterAll, beforeAll, expect, test } from "vitest";
import { deliveryQueue } from "../../src/storage/delivery-queue.js";
import { cloneDatabase, type TestDatabase } from "../support/database.js";

let database: TestDatabase;

beforeAll(async () => {
  database = await cloneDatabase();
  await database.pool.query(`
    insert into accounts (id, name, disabled, created_at) values ('acc_1', 'One', false, now());
    insert into dispatches (id, program_id, program_name, program_timezone, program_market, program_type, test, authorized,
        start_time, notification_time, modification_number, created_at, changed_at)
      values ('dis_1', 'prg_test_dispatch', '', 'UTC', '', 'not_specified', true, true, now(), now(), 0, now(), now());
    insert into notices (dispatch_id, event, due_at, state) values ('dis_1', 'dispatch.create', now(), 'sent');
    insert into webhooks (id, account_id, url, events, secret, created_at)
      select 'wh_' || number, 'acc_1', 'http://127.0.0.1/', '{dispatch.create}', 'whsec_', now()
      from generate_series(1, 10000) as number`);
});
afterAll(() => database.drop());

const addDeliveries = (state: string): Promise<unknown> =>
  database.pool.query(
    `insert into deliveries (id, webhook_id, dispatch_id, notice_seq, event, state, next_attempt_at, created_at)
     select 'dlv_' || $1 || id, id, 'dis_1', (select seq from notices), 'dispatch.create', $1,
       case when $1 = 'pending' then now() - interval '1 minute' end, now() from webhooks`,
    [state],
  );

test("a claim among 10,000 pending deliveries reads each once, though the planner last saw none pending", async () => {
  await addDeliveries("delivered");
  await database.pool.query("vacuum analyze deliveries");
  await addDeliveries("pending");
  const now = new Date();
  const claimed = await deliveryQueue(database.pool).claim(now, new Date(now.getTime() + 30_000), 1024, []);
  expect(claimed).toHaveLength(1024);
  expect(new Set(claimed.map(({ webhookId }) => webhookId)).size).toBe(1024);
});
