import type pg from "pg";
import { expect, test } from "vitest";
import {
  openFollowerPool,
  openJournalPool,
  openPool,
  openQueuePool,
  openSandboxPool,
  openTimetablePool,
} from "../../../src/platform/database/database.js";
import { SERVICE_CONNECTIONS } from "../../support/database.js";
import { closeKept } from "../../support/kept-client.js";
import { running } from "../../support/running.js";

test("a service opens about twice the connections that its requests may use", async () => {
  const service = await running();
  // Those that services of other tests left open.
  await closeKept(service.database.connection.database);
  const { call } = await service.newParticipant();
  await Promise.all(Array.from({ length: 100 }, () => call("GET", "/sites")));
  const { rows } = await service.database.pool.query<{ count: number }>(
    "select count(*)::int from pg_stat_activity where datname = current_database() and application_name = 'curtail'",
  );
  expect(rows[0]?.count).toBeGreaterThanOrEqual(SERVICE_CONNECTIONS);
  // Of few connections the shares of queues, VENs, followers and the sandbox are rounded up.
  expect(rows[0]?.count).toBeLessThanOrEqual(2 * SERVICE_CONNECTIONS + 5);
});

/** As a pooler hands them out: without parameters of the startup. */
const limitsOf = async (pool: pg.Pool): Promise<readonly string[]> => {
  const { rows } = await pool.query<{ statement: string; idle: string }>(
    "select current_setting('statement_timeout') as statement, current_setting('idle_in_transaction_session_timeout') as idle",
  );
  return [rows[0]?.statement ?? "", rows[0]?.idle ?? ""];
};

test("each pool limits its statements and its idle transactions, and sends no parameter for it that a pooler would refuse", async () => {
  const { database } = await running();
  const pool = openPool(database.connection, () => {}, { max: 4 });
  const opened = [
    pool,
    ...[openSandboxPool, openQueuePool, openTimetablePool, openJournalPool].map((open) => open(pool, () => {})),
  ];
  for (const each of opened) expect(await limitsOf(each)).toEqual(["10s", "30s"]);
  const followers = openFollowerPool(pool, () => {});
  expect(await limitsOf(followers)).toEqual(["10s", "5s"]);
  for (const { options } of [...opened, followers]) {
    expect(options.statement_timeout).toBeUndefined();
    expect(options.idle_in_transaction_session_timeout).toBeUndefined();
  }
  for (const each of [...opened.slice(1), followers, pool]) await each.end();
});

test("a pool of a queue keeps the connections that a notice would wait for, and others keep none", async () => {
  const { database } = await running();
  const pool = openPool(database.connection, () => {}, { max: 4 });
  const [kept, others] = [openQueuePool(pool, () => {}, 3), openQueuePool(pool, () => {})];
  expect([kept, others].map(({ options }) => options.min)).toEqual([3, 0]);
  for (const each of [kept, others, pool]) await each.end();
});
