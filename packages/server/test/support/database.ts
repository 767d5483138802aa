import { SERVICE_ROLE } from "@curtail/embedded-postgres";
import {
  administer,
  clonedDatabase,
  type DatabaseConnection,
  emptyDatabase as emptyOne,
  type OwnDatabase,
} from "@curtail/testing/database";
import { ON_CITUS } from "@curtail/testing/on-citus";
import type pg from "pg";
import { vi } from "vitest";
import { openPool } from "../../src/platform/database/database.js";
import { closeKept, keptClient } from "./kept-client.js";

export interface TestDatabase {
  readonly connection: DatabaseConnection;
  /** As the owner of the tables: tests may change what the service may not. */
  readonly pool: pg.Pool;
  /** In the role of the service. */
  readonly servicePool: pg.Pool;
  /** Breaks every connection and refuses new ones, until `letIn`. */
  cutOff(): Promise<void>;
  letIn(): Promise<void>;
  /** Breaks every connection; new ones are read-only, or writable again. */
  reconnectReadOnly(readOnly: boolean): Promise<void>;
  drop(): Promise<void>;
}

/** Empty again, with connections that are open: a clone and its first connections take 200 ms of the processor. */
const spare: OwnDatabase[] = [];
const MOST_SPARE = 2;
/** So that the end of a run tells them from those that a file forgot to drop. */
const NOTE = "spare";

/** A new database, cloned from the migrated template, or as good as new. */
export const cloneDatabase = async (): Promise<TestDatabase> => {
  const own = spare.pop() ?? (await clonedDatabase());
  const { database } = own.connection;
  await administer(`comment on database ${database} is null`);
  const drop = async (): Promise<void> => {
    await closeKept(database);
    await own.drop();
  };
  const keep = async (): Promise<void> => {
    if (spare.length >= MOST_SPARE) return drop();
    spare.push(own);
    await administer(`comment on database ${database} is '${NOTE}'`);
  };
  // Shards are not emptied.
  return withPools({ ...own, drop }, ON_CITUS === null ? keep : null);
};

/** A new, empty database. */
export const emptyDatabase = async (options = ""): Promise<TestDatabase> => withPools(await emptyOne(options));

/** Of a service in tests: opening more takes longer than waiting for these. */
export const SERVICE_CONNECTIONS = 6;

/** @param keep instead of dropping it, if it is empty again */
export const withPools = (
  { connection, drop }: OwnDatabase,
  keep: (() => Promise<void>) | null = null,
): TestDatabase => {
  const how = keep === null ? {} : { Client: keptClient };
  // The tests break connections on purpose; any other failure shows in its query.
  const pool = openPool({ ...connection, ...how }, () => {}, { name: "curtail tests" });
  const asService = { ...connection, ...how, user: SERVICE_ROLE };
  const servicePool = openPool(asService, () => {}, { max: SERVICE_CONNECTIONS });
  /** Whether it was changed as a whole, which says nothing in its own catalog. */
  let isAltered = false;
  const open = connectionsOf([pool, servicePool]);
  const name = connection.database;
  const breakConnections = async (): Promise<void> => {
    const broken = [...open];
    // Each has ended by then: a connection that breaks a moment later would fail a request that just got it.
    await administer(`select pg_terminate_backend(pid, 5000) from pg_stat_activity where datname = '${name}'`);
    await turnsOfTheLoop();
    // Until the pools have noticed: a pool fails once on each dead connection that it still keeps.
    await vi.waitUntil(() => broken.every((client) => !open.has(client)), 15_000);
  };
  return {
    connection,
    pool,
    servicePool,
    async cutOff() {
      isAltered = true;
      await administer(`alter database ${name} with allow_connections false`);
      await breakConnections();
    },
    letIn: () => administer(`alter database ${name} with allow_connections true`),
    async reconnectReadOnly(readOnly) {
      isAltered = true;
      await administer(`alter database ${name} set default_transaction_read_only = ${readOnly}`);
      await breakConnections();
    },
    async drop() {
      await servicePool.end();
      const isEmpty = keep !== null && !isAltered && (await isEmptied(pool));
      await pool.end();
      await (isEmpty ? keep() : drop());
    },
  };
};

/** false if it cannot be used again: it was changed in more than its rows, or something of it is still locked. */
const isEmptied = async (pool: pg.Pool): Promise<boolean> => {
  const { rows } = await pool.query<{ emptied: boolean }>("select emptied()").catch(() => ({ rows: [] }));
  return rows[0]?.emptied === true;
};

/** Pools that are not known here notice, too. */
const turnsOfTheLoop = async (): Promise<void> => {
  for (let turns = 0; turns < 5; turns++) await new Promise((resolve) => setImmediate(resolve));
};

/** The connections of pools, kept up to date; one that is still being made is none of them. */
const connectionsOf = (pools: readonly pg.Pool[]): ReadonlySet<pg.PoolClient> => {
  const open = new Set<pg.PoolClient>();
  for (const pool of pools)
    pool.on("connect", (client) => open.add(client)).on("remove", (client) => open.delete(client));
  return open;
};
