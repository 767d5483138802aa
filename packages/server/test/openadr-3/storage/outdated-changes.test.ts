import { atEnd } from "@curtail/testing/at-end";
import { beforeAll, beforeEach, expect, test } from "vitest";
import { OUTSIDE_BROKER } from "../../../src/openadr-3/operations/broker-conditions.js";
import { CALLBACKS } from "../../../src/openadr-3/operations/queue-notifications.js";
import {
  dropOutdatedCallbacks,
  dropOutdatedMessages,
  WAITING_CALLBACKS,
  WAITING_MESSAGES,
} from "../../../src/openadr-3/storage/outdated-changes.js";
import { publications } from "../../../src/openadr-3/storage/publications.js";
import { unseenBy } from "../../../src/platform/database/follower-store.js";
import { cloneDatabase, type TestDatabase } from "../../support/database.js";

const NOW = new Date("2026-07-02T00:00:00Z");

let database: TestDatabase;

beforeAll(async () => {
  database = await cloneDatabase();
  atEnd(() => database.drop());
  await database.pool.query(`
    insert into dispatches (id, program_id, program_name, program_timezone, program_market, program_type, test, authorized,
      start_time, end_time, notification_time, modification_number, created_at, changed_at)
    select id, 'prg_test_dispatch', '', 'UTC', '', 'not_specified', true, true, '2026-07-01Z', end_time::timestamptz, '2026-07-01Z', 0,
      '2026-07-01Z', '2026-07-01Z'
    from (values ('dis_over', '2026-07-01T01:00Z'), ('dis_due', '2026-07-03Z')) as given (id, end_time);
    insert into openadr3_clients (id, role, environment, name, scopes, secret_hash, tokens_from, created_at)
      values ('oac_bl', 'bl', 'production', 'BL', '{}', '\\x00', '2026-01-01Z', '2026-01-01Z');
    insert into openadr3_objects (id, environment, object_type, client_id, targets, body, created_at, modified_at)
      values ('oas_1', 'production', 'SUBSCRIPTION', 'oac_bl', '{}',
        '{"clientName": "c", "objectOperations": [{"objects": ["EVENT"], "operations": ["CREATE"], "callbackUrl": "http://127.0.0.1/"}]}',
        '2026-01-01Z', '2026-01-01Z')`);
});

const change = (id: string, dispatch: string) =>
  database.pool.query(
    `insert into openadr3_changes (environment, operation, object_type, object_id, object, targets, source, source_id, at)
     values ('production', 'CREATE', 'EVENT', $1, '{}', '{}', 'dispatch', $2, $3)`,
    [id, dispatch, NOW],
  );

/** So far both followers have seen everything. */
const seen = () => database.pool.query("update followers set seen = pg_current_snapshot()");

const idsIn = async (rows: string, values: readonly unknown[] = []): Promise<string[]> =>
  (
    await database.pool.query<{ object_id: string }>(`select object_id from ${rows} as changes order by seq`, [
      ...values,
    ])
  ).rows.map(({ object_id }) => object_id);

beforeEach(async () => {
  await database.pool.query("truncate openadr3_changes cascade");
  await change("seen", "dis_over");
  await seen();
  await change("over", "dis_over");
  await change("due", "dis_due");
});

const counted = async (waiting: string) =>
  (
    await database.pool.query(
      `select channel, dispatch_id, is_outdated from (${waiting}) as waiting order by dispatch_id`,
      [NOW],
    )
  ).rows.map((row) => [row.channel, row.dispatch_id, row.is_outdated]);

test("what both followers have not seen waits, and what of it is about a dispatch that is over is outdated", async () => {
  expect(await counted(WAITING_CALLBACKS)).toEqual([
    ["openadr3", "dis_due", false],
    ["openadr3", "dis_over", true],
  ]);
  expect(await counted(WAITING_MESSAGES)).toEqual([
    ["mqtt", "dis_due", false],
    ["mqtt", "dis_over", true],
  ]);
});

test("callbacks that were not made yet are made and dropped, as evidence, and are not made again", async () => {
  expect(await dropOutdatedCallbacks(database.pool, NOW)).toBe(1);
  const { rows } = await database.pool.query("select subject, state, reason from passing_messages order by subject");
  expect(rows).toEqual([{ subject: "over", state: "dropped", reason: "outdated" }]);
  expect(await idsIn(unseenBy(CALLBACKS, "openadr3_changes"))).toEqual(["over", "due"]);
  expect(await dropOutdatedCallbacks(database.pool, NOW)).toBe(0);
});

test("messages that the broker did not get become old ones to it; it gets the others", async () => {
  const reader = publications(database.pool);
  const { rows } = await database.pool.query<{ seen: string }>("select seen::text from followers where name = $1", [
    OUTSIDE_BROKER,
  ]);
  const cursor = { seen: rows[0]?.seen ?? "", page: null, pageAfter: 0 };
  expect(await dropOutdatedMessages(database.pool, NOW)).toBe(1);
  expect((await reader.since(cursor, 10)).changes.map(({ objectId }) => objectId)).toEqual(["due"]);
  expect(await dropOutdatedMessages(database.pool, NOW)).toBe(0);
  expect(await idsIn("(select * from openadr3_changes)")).toEqual(["seen", "over", "due"]);
});
