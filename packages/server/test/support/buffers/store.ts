import { createHash, randomBytes } from "node:crypto";
import { mkdir, readdir, readFile, rm } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { SERVICE_ROLE, startEmbedded } from "@curtail/embedded-postgres";
import { atEnd } from "@curtail/testing/at-end";
import type { DatabaseConnection } from "@curtail/testing/database";
import pg from "pg";
import { vi } from "vitest";
import { openPool } from "../../../src/platform/database/database.js";
import { migrate } from "../../../src/platform/database/migrate.js";
import { readMigrations } from "../../../src/platform/database/migration.js";
import { cloneDatabase, type TestDatabase, withPools } from "../database.js";
import { explained } from "./recorder.js";
import { seedOf, tenth, whole } from "./seed.js";

/** A database with a tenth of the past, analysed as autovacuum would; what runs over it from now on is explained. */
export const tenthDatabase = (): Promise<TestDatabase> => filledDatabase(seedOf(tenth));

export const filledDatabase = async (statements: readonly string[]): Promise<TestDatabase> => {
  const database = await cloneDatabase();
  await fill(database.connection, statements);
  await explained(database.connection);
  return database;
};

/** The same right after it was loaded at once: for the planner, its tables are as they were when empty. */
export const unanalysedDatabase = async (): Promise<TestDatabase> => {
  const database = await cloneDatabase();
  await running(database.connection, ["vacuum (analyze)", WITHOUT_AUTOVACUUM]);
  await running(database.connection, ["set session_replication_role = replica", ...seedOf(tenth)]);
  await explained(database.connection);
  return database;
};

const WITHOUT_AUTOVACUUM = `
  do $$ declare each regclass; begin
    for each in select oid from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace loop
      execute format('alter table %s set (autovacuum_enabled = false)', each);
    end loop;
  end $$`;

/** Constraints and triggers are off while the statements run: they keep to them themselves. */
const fill = async (connection: DatabaseConnection, statements: readonly string[]): Promise<void> => {
  await running(connection, ["set session_replication_role = replica", ...statements]);
  await vi.waitFor(() => running(connection, [VACUUM, ALL_VISIBLE]), { timeout: 60_000, interval: 500 });
};

/** Without cleanup, pages with rows of the tests before stay as they are while they are less than a fiftieth of their table. */
const VACUUM = "vacuum (analyze, index_cleanup on)";

/** Vacuum that ran while autovacuum analysed leaves pages that each look at an index reads again. */
const ALL_VISIBLE = `
  do $$ declare others text; begin
    select string_agg(relname, ', ') into others from pg_class
    where relkind = 'r' and relnamespace = 'public'::regnamespace and relallvisible < relpages;
    if others is not null then raise exception 'not all pages are visible to all: %', others; end if;
  end $$`;

const running = async (connection: DatabaseConnection, statements: readonly string[]): Promise<void> => {
  const client = new pg.Client(connection);
  await client.connect();
  try {
    for (const statement of statements) await client.query(statement);
  } finally {
    await client.end();
  }
};

const quiet = { info: () => {}, warn: () => {}, error: () => {} };
const SEEDED = "seeded";

/** The same with all of it: made once, and kept until its makers change. */
export const wholeDatabase = async (): Promise<TestDatabase> => {
  const dataDir = await keptFolder();
  const embedded = await startEmbedded({
    dataDir,
    log: quiet,
    // Made again if the machine stops meanwhile.
    settings: {
      max_connections: "100",
      max_wal_size: "4GB",
      fsync: "off",
      full_page_writes: "off",
      synchronous_commit: "off",
    },
  });
  atEnd(() => embedded.stop());
  const admin = { ...embedded.connection, database: "postgres" };
  await seedOnce(embedded.connection, admin);
  const connection = { ...embedded.connection, database: `test_${randomBytes(6).toString("hex")}` };
  await running(admin, [`create database ${connection.database} template ${SEEDED} strategy file_copy`]);
  await explained(connection);
  const run = (statement: string) => running(connection, [statement]);
  const drop = () => running(admin, [`drop database ${connection.database} with (force)`]);
  return withPools({ connection, run, count: async () => Number.NaN, drop });
};

/** Renamed when it is whole: a run that was ended leaves none that looks finished. */
const seedOnce = async (connection: DatabaseConnection, admin: DatabaseConnection): Promise<void> => {
  const client = new pg.Client(admin);
  await client.connect();
  const { rowCount } = await client.query("select from pg_database where datname = $1", [SEEDED]);
  await client.end();
  if (rowCount === 1) return;
  await running(admin, ["drop database if exists curtail with (force)", "create database curtail"]);
  const pool = openPool(connection, () => {});
  await migrate(pool, { serviceRole: SERVICE_ROLE });
  await pool.end();
  await fill(connection, seedOf(whole));
  await running(admin, [`alter database curtail rename to ${SEEDED}`]);
};

/** The folder of this digest; those of others are removed. */
const keptFolder = async (): Promise<string> => {
  // oxlint-disable-next-line no-process-env -- vitest has no arguments for its files.
  const cache = join(process.env["XDG_CACHE_HOME"] ?? join(homedir(), ".cache"), "curtail-buffers");
  const digest = await digestOfMakers();
  await mkdir(join(cache, digest), { recursive: true });
  for (const other of await readdir(cache))
    if (other !== digest) await rm(join(cache, other), { recursive: true, force: true });
  return join(cache, digest);
};

const digestOfMakers = async (): Promise<string> => {
  const hash = createHash("sha256");
  for (const { checksum } of await readMigrations()) hash.update(checksum);
  hash.update(await readFile(fileURLToPath(new URL("seed.ts", import.meta.url))));
  return hash.digest("hex").slice(0, 16);
};
