import { randomBytes } from "node:crypto";
import { SERVICE_ROLE } from "@curtail/embedded-postgres";
import pg from "pg";
import { inject, vi } from "vitest";
import { openPool } from "../../src/storage/database.js";

export interface TestDatabase {
  readonly connection: { host: string; port: number; user: string; database: string };
  /** As the owner of the tables: tests may change what the service may not. */
  readonly pool: pg.Pool;
  /** As the service connects. */
  readonly servicePool: pg.Pool;
  /** Breaks every connection and refuses new ones, until `letIn`. */
  cutOff(): Promise<void>;
  letIn(): Promise<void>;
  /** Breaks every connection; what connects from now on may only read, or write again. */
  reconnectReadOnly(readOnly: boolean): Promise<void>;
  drop(): Promise<void>;
}

/** A database of its own, cloned from the migrated template: its files are copied, which is cheaper than its pages by WAL. */
export const cloneDatabase = (): Promise<TestDatabase> => newDatabase("template template_curtail strategy file_copy");

/** A database of its own without anything in it. */
export const emptyDatabase = (options = ""): Promise<TestDatabase> =>
  newDatabase(`template template0 strategy file_copy ${options}`);

const newDatabase = async (options: string): Promise<TestDatabase> => {
  const connection = { ...inject("database"), database: `test_${randomBytes(6).toString("hex")}` };
  await administer(`create database ${connection.database} ${options}`);
  // A connection that the tests themselves break is expected; everything else shows in the query that meets it.
  const pool = openPool(connection, () => {}, { name: "curtail tests" });
  const servicePool = openPool({ ...connection, user: SERVICE_ROLE }, () => {});
  const name = connection.database;
  const breakConnections = async (): Promise<void> => {
    // Until the pools have seen it: what still believes in a dead connection fails once.
    const left = [pool, servicePool].map((each) => seenToLeave(each, each.totalCount));
    await administer(`select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name}'`);
    await Promise.all(left);
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
      await administer(`drop database ${connection.database} with (force)`);
    },
  };
};

/** Loops of a service connect anew at once: so connections that go are counted, not those that are left. */
const seenToLeave = async (pool: pg.Pool, count: number): Promise<void> => {
  let gone = 0;
  const note = (): void => void gone++;
  pool.on("remove", note);
  try {
    await vi.waitUntil(() => gone >= count, 5000);
  } finally {
    pool.off("remove", note);
  }
};

const administer = async (statement: string): Promise<void> => {
  const client = new pg.Client({ ...inject("database"), database: "postgres" });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
};
