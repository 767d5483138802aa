import { SERVICE_ROLE } from "@curtail/embedded-postgres";
import {
  administer,
  clonedDatabase,
  type DatabaseConnection,
  emptyDatabase as emptyOne,
  type OwnDatabase,
} from "@curtail/testing/database";
import type pg from "pg";
import { vi } from "vitest";
import { openPool } from "../../src/platform/database/database.js";

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

/** A new database, cloned from the migrated template. */
export const cloneDatabase = async (): Promise<TestDatabase> => withPools(await clonedDatabase());

/** A new, empty database. */
export const emptyDatabase = async (options = ""): Promise<TestDatabase> => withPools(await emptyOne(options));

/** Of a service in tests: opening more takes longer than waiting for these. */
export const SERVICE_CONNECTIONS = 6;

export const withPools = ({ connection, drop }: OwnDatabase): TestDatabase => {
  // The tests break connections on purpose; any other failure shows in its query.
  const pool = openPool(connection, () => {}, { name: "curtail tests" });
  const servicePool = openPool({ ...connection, user: SERVICE_ROLE }, () => {}, { max: SERVICE_CONNECTIONS });
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
      await administer(`alter database ${name} with allow_connections false`);
      await breakConnections();
    },
    letIn: () => administer(`alter database ${name} with allow_connections true`),
    async reconnectReadOnly(readOnly) {
      await administer(`alter database ${name} set default_transaction_read_only = ${readOnly}`);
      await breakConnections();
    },
    async drop() {
      await Promise.all([pool.end(), servicePool.end()]);
      await drop();
    },
  };
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
