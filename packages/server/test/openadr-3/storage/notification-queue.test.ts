import { atEnd } from "@curtail/testing/at-end";
import { beforeAll, beforeEach, expect, test } from "vitest";
import type { MessageQueue } from "../../../src/dispatch/operations/message-queue.js";
import { mailbox } from "../../../src/dispatch/storage/mailbox.js";
import type { ClaimedNotification } from "../../../src/openadr-3/domain/notification.js";
import { outcomeOf } from "../../../src/openadr-3/operations/send-notifications.js";
import { notificationChannel } from "../../../src/openadr-3/storage/notification-queue.js";
import { leaseFrom } from "../../../src/platform/worker/leased-worker.js";
import { cloneDatabase, type TestDatabase } from "../../support/database.js";
import { testSecretBox } from "../../support/secret-box.js";

const NOW = new Date("2026-07-02T00:00:00Z");
const after = (seconds: number): Date => new Date(NOW.getTime() + seconds * 1000);

let database: TestDatabase;
let queue: MessageQueue<ClaimedNotification>;

beforeAll(async () => {
  database = await cloneDatabase();
  atEnd(() => database.drop());
  queue = mailbox(database.servicePool, notificationChannel(testSecretBox));
  await database.pool.query(`
    insert into accounts (id, name, disabled, created_at) values ('acc_1', 'One', false, now());
    insert into openadr3_clients (id, role, account_id, environment, name, scopes, secret_hash, tokens_from, created_at)
      values ('oac_1', 'ven', 'acc_1', 'production', 'Gateway', '{}', '\\x00', '2026-01-01Z', '2026-01-01Z')`);
});

beforeEach(() => database.pool.query("truncate openadr3_changes, openadr3_objects cascade"));

/** Notifications `odl_1` and so on, about these objects in turn, each to a subscription of these in turn. */
const due = (count: number, objects: number, subscriptions: number) =>
  database.pool.query(`
    insert into openadr3_objects (id, environment, object_type, client_id, targets, body, created_at, modified_at)
      select 'oas_' || n, 'production', 'SUBSCRIPTION', 'oac_1', '{}',
        '{"clientName": "c", "objectOperations": [{"objects": ["EVENT"], "operations": ["UPDATE"], "callbackUrl": "https://gateway.example/"}]}',
        '2026-01-01Z', '2026-01-01Z'
      from generate_series(0, ${subscriptions - 1}) as n;
    insert into openadr3_changes (environment, operation, object_type, object_id, object, targets, at)
      select 'production', 'UPDATE', 'EVENT', 'oae_' || n % ${objects}, '{}', '{}', '2026-07-01Z' from generate_series(1, ${count}) as n;
    insert into passing_messages (id, change_seq, recipient, entry, client_id, account_id, subject, event, detail, next_attempt_at, created_at)
      select 'odl_' || row_number() over (order by seq), seq, 'oas_' || seq % ${subscriptions}, 0, 'oac_1', 'acc_1', object_id, 'event.update',
        '{}', '2026-07-01Z', '2026-07-01Z'
      from openadr3_changes order by seq`);

const claimAt = (now: Date, limit = 100) => queue.claim({ now, leasedUntil: leaseFrom(now), lapsedBefore: now, limit });

const idsAt = async (now: Date): Promise<string[]> => (await claimAt(now)).claimed.map(({ id }) => id);

const record = (item: ClaimedNotification, at: Date, error: string | null) => {
  const attempt = {
    at,
    ok: error === null,
    status: error === null ? 200 : 500,
    durationMs: 40,
    address: "192.0.2.1",
    error,
  };
  return queue.record([{ item, outcome: outcomeOf(item, attempt, { endedAt: at, random: 0.5 }) }]);
};

const firstAt = async (now: Date): Promise<ClaimedNotification> => {
  const [first] = (await claimAt(now)).claimed;
  if (first === undefined) throw new Error("nothing was claimed");
  return first;
};

test("thousands that are due at once are claimed, though statistics show none that wait", async () => {
  await due(6000, 6000, 6000);
  await database.pool.query("update passing_messages set state = 'delivered', next_attempt_at = null");
  await database.pool.query("vacuum analyze passing_messages");
  await database.pool.query("update passing_messages set state = 'pending', next_attempt_at = '2026-07-01Z'");
  const { claimed, hasMore } = await claimAt(NOW, 1024);
  expect([claimed.length, hasMore]).toEqual([1024, true]);
});

test("a subscription gets one at a time, and of an object the later after the earlier, which holds up no other object", async () => {
  await due(3, 2, 1);
  const first = await firstAt(NOW);
  expect(first.id).toBe("odl_1");
  expect(await idsAt(NOW)).toEqual([]);
  await record(first, NOW, "status_500");
  expect(await idsAt(after(1))).toEqual(["odl_2"]);
});

test("those of a subscription that is gone are dropped in as many looks as an object has, and each asks for the next", async () => {
  await due(4, 2, 1);
  await database.pool.query("delete from openadr3_objects");
  const looks = [await claimAt(NOW), await claimAt(NOW), await claimAt(NOW)];
  expect(looks.map(({ claimed, hasMore }) => [claimed.length, hasMore])).toEqual([
    [0, true],
    [0, true],
    [0, false],
  ]);
  const { rows } = await database.pool.query("select distinct state, reason, ended_at from passing_messages");
  expect(rows).toEqual([{ state: "dropped", reason: "subscription_deleted", ended_at: NOW }]);
});

test("an attempt at what follows a dispatch is kept, also under a lease that is over, where a failure changes nothing else", async () => {
  await due(1, 1, 1);
  await database.pool.query(
    `insert into openadr3_notices (dispatch_id, client_id, modification_number, account_id, operation, event_id, site_ids, modified_at, change_seq,
       at, client_name)
     select 'dis_1', 'oac_1', 0, 'acc_1', 'UPDATE', object_id, '{}', at, seq, at, 'Gateway' from openadr3_changes`,
  );
  const lost = await firstAt(NOW);
  const held = await firstAt(after(60));
  await record(lost, after(1), "timeout");
  const state =
    "select state, failures, leased_until is null as is_free, detail ->> 'error' as error from passing_messages";
  expect((await database.pool.query(state)).rows).toEqual([
    { state: "pending", failures: 0, is_free: false, error: null },
  ]);
  await record(held, after(60), null);
  // As if the first record had been answered by no one.
  await record(held, after(60), null);
  expect((await database.pool.query(state)).rows).toEqual([
    { state: "delivered", failures: 0, is_free: true, error: null },
  ]);
  const attempts = "select number, at, status, error, gave_up from message_attempts order by number";
  expect((await database.pool.query(attempts)).rows).toEqual([
    { number: 1, at: after(1), status: 500, error: "timeout", gave_up: false },
    { number: 2, at: after(60), status: 200, error: null, gave_up: false },
  ]);
});
