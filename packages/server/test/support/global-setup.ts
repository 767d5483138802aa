import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import type { TestProject } from "vitest/node";
import { openPool } from "../../src/storage/database.js";
import { type EmbeddedPostgres, startEmbedded } from "../../src/storage/embedded/start-embedded.js";
import { migrate } from "../../src/storage/migrate.js";
import { SERVICE_ROLE } from "../../src/storage/service-role.js";

declare module "vitest" {
  interface ProvidedContext {
    database: EmbeddedPostgres["connection"];
  }
}

/** Where no test is about what survives a crash: each database that is dropped waits for the disk otherwise. */
const volatile = { fsync: "off", synchronous_commit: "off", full_page_writes: "off", checkpoint_timeout: "1d" };

const quiet = { info: () => {}, warn: () => {}, error: () => {} };

/** One real PostgreSQL for all files of the project, with a migrated template that each of them clones. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const dataDir = await mkdtemp(join(tmpdir(), "curtail-tests-"));
  // The service as a process refuses a database that is not durable.
  const durability = project.name === "process" ? {} : volatile;
  const settings = { max_connections: "200", ...durability };
  const embedded = await startEmbedded({ dataDir, log: quiet, settings });
  const pool = openPool(embedded.connection, () => {});
  await migrate(pool, { serviceRole: SERVICE_ROLE });
  await pool.end();
  const admin = new pg.Client({ ...embedded.connection, database: "postgres" });
  await admin.connect();
  await admin.query("alter database curtail rename to template_curtail");
  await admin.end();
  project.provide("database", embedded.connection);
  return async () => {
    const left = await leftDatabases(embedded);
    await embedded.stop();
    await rm(dataDir, { recursive: true, force: true });
    if (left.length === 0) return;
    // Vitest only prints what a teardown throws.
    process.exitCode = 1;
    throw new Error(`test files left ${left.length} databases behind; end with a file what it starts (atEnd)`);
  };
}

/** A test file drops what it cloned once all that it started has ended; what is left shows a server or pool that was not. */
const leftDatabases = async ({ connection }: EmbeddedPostgres): Promise<readonly unknown[]> => {
  const admin = new pg.Client({ ...connection, database: "postgres" });
  await admin.connect();
  const { rows } = await admin.query("select datname from pg_database where datname like 'test\\_%'");
  await admin.end();
  return rows;
};
