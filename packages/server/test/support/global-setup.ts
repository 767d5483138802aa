import { mkdtemp, rm, statfs } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type EmbeddedPostgres, SERVICE_ROLE, startEmbedded } from "@curtail/embedded-postgres";
import pg from "pg";
import type { TestProject } from "vitest/node";
import { openPool } from "../../src/platform/database/database.js";
import { migrate } from "../../src/platform/database/migrate.js";
import { makeEmptiable } from "./emptied-database.js";
import { guardJournal } from "./journal-guards.js";

/** Linux keeps this directory in memory. */
const MEMORY = "/dev/shm";
/** The databases and WAL of a run need a few hundred megabytes. */
const ROOM_BYTES = 2 ** 31;

const quiet = { info: () => {}, warn: () => {}, error: () => {} };

/** Each new database forces a checkpoint, after which whole pages would be logged; no run needs them. */
const UNSAFE = { full_page_writes: "off", wal_compression: "off" };
/** Databases live for seconds. A helper process that reads a page costs more than the page. */
const SHORT = { autovacuum_naptime: "1min", io_method: "sync" };

/** One real PostgreSQL for all projects that ask for it, with a migrated template that each test file clones. */
export async function setup({ vitest }: TestProject): Promise<(() => Promise<void>) | undefined> {
  const root = vitest.getRootProject();
  // Already started for another project of this run.
  if ("database" in root.getProvidedContext()) return undefined;
  const fastest = await fastestFolder();
  const dataDir = await mkdtemp(join(fastest, "curtail-tests-"));
  const room = { max_connections: "500", max_prepared_transactions: "10", max_wal_size: "256MB" };
  const settings = { ...room, ...UNSAFE, ...SHORT };
  const embedded = await startEmbedded({ dataDir, log: quiet, settings });
  const pool = openPool(embedded.connection, () => {});
  await migrate(pool, { serviceRole: SERVICE_ROLE });
  await guardJournal(pool);
  await makeEmptiable(pool);
  await settleCatalog(pool);
  await pool.end();
  await connectOnce(embedded.connection);
  const admin = new pg.Client({ ...embedded.connection, database: "postgres" });
  await admin.connect();
  await admin.query("alter database curtail rename to template_curtail");
  await admin.end();
  root.provide("database", embedded.connection);
  const runFolder = await mkdtemp(join(tmpdir(), "curtail-run-"));
  root.provide("runFolder", runFolder);
  root.provide("fastestFolder", fastest);
  return async () => {
    const left = await leftDatabases(embedded);
    await embedded.stop();
    for (const folder of [dataDir, runFolder]) await rm(folder, { recursive: true, force: true });
    if (left.length === 0) return;
    // Vitest only prints errors of a teardown.
    process.exitCode = 1;
    throw new Error(`test files left ${left.length} databases behind; end with a file what it starts (atEnd)`);
  };
}

/** Otherwise the first readers in each clone would mark the rows of the catalog as committed, page by page. */
const settleCatalog = async (pool: pg.Pool): Promise<void> => {
  const { rows } = await pool.query<{ name: string }>(
    "select oid::regclass as name from pg_class where relkind = 'r' and relnamespace = 'pg_catalog'::regnamespace",
  );
  for (const { name } of rows) await pool.query(`vacuum (freeze) ${name}`);
};

/**
 * The first connection after a migration writes a file that saves others from reading the catalog; clones have it, too.
 */
const connectOnce = async (connection: EmbeddedPostgres["connection"]): Promise<void> => {
  const client = new pg.Client(connection);
  await client.connect();
  await client.end();
};

/** A clone takes 20 ms of CPU time in memory, and 450 ms on a disk. */
const fastestFolder = async (): Promise<string> => {
  const { bavail, bsize } = await statfs(MEMORY).catch(() => ({ bavail: 0, bsize: 0 }));
  return bavail * bsize >= ROOM_BYTES ? MEMORY : tmpdir();
};

/**
 * A test file drops its clones after everything it started has ended; a leftover one means that a server or pool has
 * not.
 */
const leftDatabases = async ({ connection }: EmbeddedPostgres): Promise<readonly unknown[]> => {
  const admin = new pg.Client({ ...connection, database: "postgres" });
  await admin.connect();
  const { rows } = await admin.query(
    "select datname from pg_database where datname like 'test\\_%' and shobj_description(oid, 'pg_database') is distinct from 'spare'",
  );
  await admin.end();
  return rows;
};
