import type pg from "pg";
import { UNSETTLED } from "../../notification/storage/owed-store.js";
import { alarmKinds } from "../../platform/alarm.js";
import { addressedChannels } from "../../platform/channel.js";
import type { Clock } from "../../platform/clock.js";
import type { Row } from "../../platform/database/columns.js";
import type { Queryable } from "../../platform/database/database.js";
import { FOLLOWER_LAGS } from "../../platform/database/follower-store.js";
import { readMap, readNumber } from "../../platform/database/read.js";
import { isDistributed } from "../../platform/database/shards.js";
import { UNDELIVERED } from "./alarms/notices.js";

/** What scrapes read of the database: deliveries, alarms and followers. */
export const gaugesOver = (db: Queryable, clock: Clock) => [
  {
    name: "curtail_oldest_undelivered_notice_seconds",
    help: "Age of the oldest due notice that is not delivered; 0 if there is none. Includes every notice.",
    read: () => oldestUndeliveredSeconds(db, clock.now()),
  },
  {
    name: "curtail_unreached_dispatch_accounts",
    help: "Accounts that no webhook, poll, VEN or email has notified of a dispatch in time, counted once per dispatch, until they are notified or the alarm is acknowledged.",
    read: () => unreachedDispatchAccounts(db),
  },
  {
    name: "curtail_waiting_messages",
    help: "Messages about dispatches that are due and not taken, by channel as in evidence; 0 for a channel without any.",
    label: "channel",
    read: () => waitingMessages(db, clock.now()),
  },
  {
    name: "curtail_open_alarms",
    help: "Open alarms, not acknowledged and not cleared, by kind.",
    label: "kind",
    read: () => openAlarms(db),
  },
  {
    name: "curtail_follower_lag_seconds",
    help: "How long the oldest change waits to be followed, by follower; 0 if all were. Without those that fail again and again.",
    label: "follower",
    read: () => followerLags(db, clock.now()),
  },
  {
    name: "curtail_follower_faults",
    help: "Changes that a follower could not follow and tries again, with later ones that wait for them, by follower.",
    label: "follower",
    read: () => followerFaults(db),
  },
];

/** If the database is slow, a scrape is answered without the gauges before the scraper gives up. */
const QUERY_TIMEOUT_MS = 2000;

const bounded = (text: string, values: readonly unknown[]): pg.QueryConfig & { query_timeout: number } => ({
  text,
  values: [...values],
  query_timeout: QUERY_TIMEOUT_MS,
});

/** Size of the whole database, with all shards whose nodes answer. */
export const databaseBytes = async (db: Queryable): Promise<number> => {
  const own = "select pg_database_size(current_database())";
  const text = (await isDistributed(db)) ? `${own} + (${SHARD_BYTES}) as bytes` : `${own} as bytes`;
  return readNumber(db, "bytes", bounded(text, []));
};

/** PostgreSQL finds only the empty table of the coordinator. */
const SHARD_BYTES = `select coalesce(sum(citus_total_relation_size(logicalrelid, false)), 0)::bigint
  from pg_dist_partition where partmethod = 'h'`;

const oldestUndeliveredSeconds = async (db: Queryable, now: Date): Promise<number> => {
  const { rows } = await db.query<{ seconds: number }>(
    bounded(
      `select coalesce(extract(epoch from $1::timestamptz - min(due_at)), 0)::float8 as seconds
       from (${UNDELIVERED}) as undelivered`,
      [now],
    ),
  );
  return rows[0]?.seconds ?? 0;
};

const unreachedDispatchAccounts = (db: Queryable): Promise<number> =>
  readNumber(db, "count", bounded(`select count(distinct (account_id, subject)) as count from ${UNSETTLED}`, []));

const inMessages = new Set<string>(["webhook", "mail", "sms", "voice", "personal", ...addressedChannels]);

const waitingMessages = async (db: Queryable, now: Date): Promise<ReadonlyMap<string, number>> => {
  const waiting = await readMap(
    db,
    ({ name, count }: { name: string; count: number }) => [name, count],
    bounded(
      `select case channel when 'email' then 'mail' else split_part(channel, '_', 1) end as name, count(*) as count
       from messages where state = 'pending' and not behind and next_attempt_at <= $1 and event like 'dispatch.%' group by 1`,
      [now],
    ),
  );
  return new Map([...inMessages].map((name) => [name, waiting.get(name) ?? 0]));
};

/** How long the oldest change waits for each follower; 0 for one that has seen all. */
export const followerLags = (db: Queryable, now: Date): Promise<ReadonlyMap<string, number>> =>
  readMap(
    db,
    ({ name, seconds }: { name: string; seconds: number }) => [name, seconds],
    bounded(
      `select name, greatest(coalesce(extract(epoch from $1::timestamptz - waits_since), 0), 0)::float8 as seconds
       from (${FOLLOWER_LAGS}) as lags`,
      [now],
    ),
  );

/** Changes that each follower could not follow, and those that wait behind them. */
export const followerFaults = (db: Queryable): Promise<ReadonlyMap<string, number>> =>
  readMap(
    db,
    ({ name, count }: { name: string; count: number }) => [name, count],
    bounded("select name, (select count(*) from follower_faults where follower = name) as count from followers", []),
  );

const openAlarms = async (db: Queryable): Promise<ReadonlyMap<string, number>> => {
  const { rows } = await db.query<Row<"alarms", "kind"> & { count: number }>(
    bounded(
      "select kind, count(*) as count from alarms where cleared_at is null and acknowledged_at is null group by kind",
      [],
    ),
  );
  return new Map([
    ...alarmKinds.map((kind) => [kind, 0] as const),
    ...rows.map(({ kind, count }) => [kind, count] as const),
  ]);
};
