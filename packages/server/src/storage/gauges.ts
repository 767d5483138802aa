import type pg from "pg";
import type { AlarmKind } from "../domain/alarm.js";
import { alarmRules, UNDELIVERED } from "./alarm-rules.js";
import type { Queryable } from "./database.js";

/** A scrape that has to wait for a slow database is answered without the gauges, before the scraper gives up. */
const QUERY_TIMEOUT_MS = 2000;
/** Whoever polled within it counts as reached. */
const POLLED_MS = 5 * 60_000;

const bounded = (text: string, values: readonly unknown[]): pg.QueryConfig & { query_timeout: number } => ({
  text,
  values: [...values],
  query_timeout: QUERY_TIMEOUT_MS,
});

/** How long the oldest notice that is not delivered has been due; 0 where none is. Whatever its dispatch or account. */
export const oldestUndeliveredSeconds = async (db: Queryable, now: Date): Promise<number> => {
  const { rows } = await db.query<{ seconds: number }>(
    bounded(
      `select coalesce(extract(epoch from $1::timestamptz - min(due_at)), 0)::float8 as seconds
       from (${UNDELIVERED}) as undelivered`,
      [now],
    ),
  );
  return rows[0]?.seconds ?? 0;
};

/** A webhook is healthy until a delivery fails for good, and again from the next success on. */
export const accountsWithoutHealthyChannel = async (db: Queryable, now: Date): Promise<number> => {
  const { rows } = await db.query<{ count: number }>(
    bounded(
      `select count(*) as count from accounts
       where not disabled and exists (select from sites where account_id = accounts.id)
         and not exists (
           select from webhooks where account_id = accounts.id and deleted_at is null and 'failed' is distinct from (
             select state from deliveries
             where webhook_id = webhooks.id and state in ('delivered', 'failed') order by seq desc limit 1))
         -- The last use is kept to the minute.
         and not exists (
           select from api_keys where account_id = accounts.id and environment = 'production' and revoked_at is null
             and last_used_at >= date_trunc('minute', $1::timestamptz))
         and not exists (
           select from vens where account_id = accounts.id and environment = 'production' and deleted_at is null
             and last_poll_at >= $1)`,
      [new Date(now.getTime() - POLLED_MS)],
    ),
  );
  return rows[0]?.count ?? 0;
};

/** Alarms that nobody has seen, of every kind there is. */
export const openAlarms = async (db: Queryable): Promise<ReadonlyMap<string, number>> => {
  const { rows } = await db.query<{ kind: AlarmKind; count: number }>(
    bounded(
      "select kind, count(*) as count from alarms where cleared_at is null and acknowledged_at is null group by kind",
      [],
    ),
  );
  return new Map([
    ...alarmRules.map(({ kind }) => [kind, 0] as const),
    ["disk_low", 0] as const,
    ...rows.map((row) => [row.kind, row.count] as const),
  ]);
};
