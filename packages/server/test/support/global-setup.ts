import { mkdtemp, rm, statfs } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type EmbeddedPostgres, SERVICE_ROLE, startEmbedded } from "@curtail/embedded-postgres";
import type { DatabaseConnection } from "@curtail/testing/database";
import pg from "pg";
import type { TestProject } from "vitest/node";
import { openPool } from "../../src/platform/database/database.js";
import { migrate } from "../../src/platform/database/migrate.js";
import { citusNodes, makeCitusTemplate } from "./citus-template.js";
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
  const server = await (citusNodes() === null ? embedded(fastest) : outside());
  root.provide("database", server.connection);
  root.provide("workers", server.workers);
  const runFolder = await mkdtemp(join(tmpdir(), "curtail-run-"));
  root.provide("runFolder", runFolder);
  root.provide("fastestFolder", fastest);
  return async () => {
    const left = await leftDatabases(server);
    await server.stop();
    await rm(runFolder, { recursive: true, force: true });
    if (left.length === 0) return;
    // Vitest only prints errors of a teardown.
    process.exitCode = 1;
    throw new Error(`test files left ${left.length} databases behind; end with a file what it starts (atEnd)`);
  };
}

/** A server with the template. */
interface TestServer extends Pick<EmbeddedPostgres, "connection"> {
  readonly workers: readonly DatabaseConnection[];
  readonly stop: () => Promise<void>;
}

const embedded = async (fastest: string): Promise<TestServer> => {
  const dataDir = await mkdtemp(join(fastest, "curtail-tests-"));
  const room = { max_connections: "500", max_prepared_transactions: "10", max_wal_size: "256MB" };
  const settings = { ...room, ...UNSAFE, ...SHORT };
  const postgres = await startEmbedded({ dataDir, log: quiet, settings });
  const { connection } = postgres;
  const pool = openPool(connection, () => {});
  await migrate(pool, { serviceRole: SERVICE_ROLE });
  await guardJournal(pool);
  await makeEmptiable(pool);
  await settleCatalog(pool);
  await pool.end();
  await connectOnce(connection);
  const admin = new pg.Client({ ...connection, database: "postgres" });
  await admin.connect();
  await admin.query("alter database curtail rename to template_curtail");
  await admin.end();
  return {
    connection,
    workers: [],
    async stop() {
      await postgres.stop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
};

/** The cluster of the variable, which goes on running. */
const outside = async (): Promise<TestServer> => {
  const [connection, ...workers] = citusNodes() ?? [];
  if (connection === undefined)
    throw new Error("Set TEST_CITUS_URL to the address of each node, the coordinator first.");
  await makeCitusTemplate(connection, workers);
  return { connection, workers, stop: async () => {} };
};

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
const leftDatabases = async ({ connection }: Pick<TestServer, "connection">): Promise<readonly unknown[]> => {
  const admin = new pg.Client({ ...connection, database: "postgres" });
  await admin.connect();
  const { rows } = await admin.query(
    "select datname from pg_database where datname like 'test\\_%' and shobj_description(oid, 'pg_database') is distinct from 'spare'",
  );
  await admin.end();
  return rows;
};
