import type pg from "pg";
import { afterEach, beforeEach, expect, test } from "vitest";
import { mailbox } from "../../../src/dispatch/storage/mailbox.js";
import { addressedChannel } from "../../../src/notification/storage/addressed-messages.js";
import { dropMessages } from "../../../src/notification/storage/delivery-store.js";
import { addressedChannels } from "../../../src/platform/channel.js";
import type { SecretBox } from "../../../src/platform/secret-box.js";
import { leaseFrom } from "../../../src/platform/worker/leased-worker.js";
import { cloneDatabase, type TestDatabase } from "../../support/database.js";

const NOW = new Date("2026-07-01T12:00:00Z");
const ACCOUNTS = 1000;
const ADDRESSES_EACH = 20;
const CLAIMED = 1024;

/** Before there were keys, secrets were plain. */
const plain: SecretBox = {
  prefix: "",
  seal: (text) => text,
  open: (stored) => stored,
  derive: () => [{ id: "", key: Buffer.alloc(0) }],
};

let database: TestDatabase;
beforeEach(async () => {
  database = await cloneDatabase();
});
afterEach(() => database.drop());

/** A message to each address about one dispatch, though the planner last saw an empty table. */
const called = async (channel: string): Promise<void> => {
  await database.pool.query(`
    alter table messages set (autovacuum_enabled = false);
    insert into accounts (id, name, disabled, created_at) select 'acc_' || n, 'Mill', false, now() from generate_series(1, ${ACCOUNTS}) as n;
    insert into channel_addresses (id, account_id, channel, name, address, hint, created_at)
      select 'adr_' || n, 'acc_' || 1 + n % ${ACCOUNTS}, '${channel}', 'Room', 'https://chat.example', '', now()
      from generate_series(1, ${ACCOUNTS * ADDRESSES_EACH}) as n;
    insert into dispatches (id, program_id, program_name, program_timezone, program_market, program_type, test, authorized, start_time,
        notification_time, modification_number, created_at, changed_at)
      values ('dis_1', 'prg_test_dispatch', '', 'UTC', '', 'not_specified', true, true, '2026-07-01Z', '2026-07-01Z', 0, now(), now());
    insert into notices (dispatch_id, event, due_at, state) values ('dis_1', 'dispatch.create', now(), 'sent');
    insert into messages (id, channel, recipient, account_id, detail, notice_seq, subject, event, next_attempt_at, created_at)
      select 'msg_' || seq, channel, id, account_id, '{}', (select seq from notices), 'dis_1', 'dispatch.create', '${NOW.toISOString()}', now()
      from channel_addresses`);
};

interface PlanNode {
  readonly "Actual Rows": number;
  readonly "Actual Loops": number;
  readonly Plans?: readonly PlanNode[];
}

/** Most rows that a part of the plan goes through for each of the messages that are judged. */
const mostForEach = (node: PlanNode): number =>
  Math.max(node["Actual Loops"] < CLAIMED ? 0 : node["Actual Rows"], ...(node.Plans ?? []).map(mostForEach));

const planOfClaim = async (channel: (typeof addressedChannels)[number]): Promise<PlanNode | undefined> => {
  let plan: PlanNode | undefined;
  const explaining = {
    async query({ text, values }: { readonly text: string; readonly values: unknown[] }) {
      const { rows } = await database.pool.query(`explain (analyze, timing off, format json) ${text}`, values);
      plan = rows[0]["QUERY PLAN"][0].Plan;
      return { rows: [] };
    },
  } as unknown as pg.Pool;
  const queue = mailbox(explaining, addressedChannel(channel, plain));
  await queue.claim({ now: NOW, lapsedBefore: NOW, leasedUntil: leaseFrom(NOW), limit: CLAIMED });
  return plan;
};

// Each claim of a dispatch to 20,000 addresses took four seconds, until the statistics were made again.
test.each(addressedChannels)(
  "a claim on channel %s goes through the messages of its account alone for each that it judges, whatever the planner knows",
  async (channel) => {
    await called(channel);
    const plan = await planOfClaim(channel);
    expect(plan?.["Actual Rows"]).toBe(CLAIMED);
    expect(mostForEach(plan as PlanNode)).toBeLessThanOrEqual(ADDRESSES_EACH);
  },
);

const waiting = async (): Promise<number> => {
  const { rows } = await database.pool.query<{ count: number }>(
    "select count(*)::int as count from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
  );
  return rows[0]?.count ?? 0;
};

test("a claim that ends what later messages say better and the removal of its address never wait for each other", async () => {
  const [channel] = addressedChannels;
  if (channel === undefined) throw new Error("no channel has addresses");
  await database.pool.query(`
    insert into accounts (id, name, disabled, created_at) values ('acc_1', 'Mill', false, now());
    insert into channel_addresses (id, account_id, channel, name, address, hint, created_at)
      values ('adr_1', 'acc_1', '${channel}', 'Room', 'https://chat.example', '', now());
    insert into dispatches (id, program_id, program_name, program_timezone, program_market, program_type, test, authorized, start_time,
        notification_time, modification_number, created_at, changed_at)
      values ('dis_1', 'prg_test_dispatch', '', 'UTC', '', 'not_specified', true, true, '2026-07-01Z', '2026-07-01Z', 0, now(), now());
    insert into notices (dispatch_id, event, due_at, state) select 'dis_1', 'dispatch.update', now(), 'sent' from generate_series(1, 4);
    -- The order of their ids is not that in which they were made.
    insert into messages (id, channel, recipient, account_id, detail, notice_seq, subject, event, next_attempt_at, created_at)
      select 'msg_' || 5 - seq, '${channel}', 'adr_1', 'acc_1', '{}', seq, 'dis_1', event, '${NOW.toISOString()}', now()
      from notices order by seq`);
  const queue = mailbox(database.pool, addressedChannel(channel, plain));
  const third = await database.pool.connect();
  await third.query("begin");
  await third.query("select from messages where id = 'msg_3' for update");
  const removal = dropMessages(database.pool, { of: "recipient", ids: ["adr_1"], at: NOW, reason: "address_deleted" });
  await expect.poll(waiting).toBe(1);
  const claim = queue.claim({ now: NOW, lapsedBefore: NOW, leasedUntil: leaseFrom(NOW), limit: CLAIMED });
  await expect.poll(waiting).toBe(2);
  await third.query("rollback");
  third.release();
  expect(await removal).toBe(4);
  expect(await claim).toMatchObject({ claimed: [] });
});
