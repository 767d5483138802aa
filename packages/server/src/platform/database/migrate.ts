import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { advisoryLocks } from "./advisory-locks.js";
import { type Queryable, sessionOptions } from "./database.js";
import { isServed } from "./database-check.js";
import { type Migration, readMigrations } from "./migration.js";
import { grantToService } from "./service-role.js";

interface AppliedRow {
  readonly version: number;
  readonly name: string;
  readonly checksum: string;
  readonly breaking: boolean;
}

export interface MigrateOptions {
  /** The role the service connects as, if it is not the owner; it is granted what it needs. */
  readonly serviceRole?: string | null;
  /** The migrations of this build. */
  readonly known?: readonly Migration[];
}

/** Names of migrations. */
export interface Migrated {
  /** Applied now. */
  readonly applied: readonly string[];
  /** Applied by a newer version; this build can run on them. */
  readonly newer: readonly string[];
}

/**
 * Migrates the schema to this build, one transaction per migration, forward only.
 * Refuses a database with a newer migration that breaks this build, or with applied migrations that differ from the
 * known ones; applies nothing that would break a running process.
 */
export const migrate = async (pool: pg.Pool, { serviceRole = null, known }: MigrateOptions = {}): Promise<Migrated> => {
  const migrations = known ?? (await readMigrations());
  const client = await patientClient(pool);
  try {
    // Processes that start together wait here for the first one.
    await client.query("select pg_advisory_lock($1)", [advisoryLocks.migration]);
    const migrated = await applyMissing(client, migrations);
    if (serviceRole !== null) await grant(client, serviceRole);
    return migrated;
  } finally {
    // Closing the connection releases the lock, even after an error.
    await client.end();
  }
};

/**
 * A connection without the time limits of requests: changing a large table may take minutes, here or in another
 * process.
 */
export const patientClient = async (pool: pg.Pool): Promise<pg.Client> => {
  const { query_timeout: _query, ...rest } = sessionOptions(pool);
  const client = new pg.Client(rest);
  // A broken connection fails the statement that needs it; without a listener it would end the process.
  client.on("error", () => {});
  await client.connect();
  return client;
};

const applyMissing = async (client: pg.Client, known: readonly Migration[]): Promise<Migrated> => {
  await ensureMigrationTable(client);
  const { applied, missing, newer } = await schemaOf(client, known);
  if (applied > 0) await checkNobodyBroken(client, missing);
  for (const migration of missing) await apply(client, migration);
  return { applied: missing.map(({ name }) => name), newer };
};

/** A schema next to the migrations of this build. */
interface FoundSchema {
  /** How many of them it has. */
  readonly applied: number;
  readonly missing: readonly Migration[];
  /** Names of migrations that a newer version applied; this build can run on them. */
  readonly newer: readonly string[];
}

/** Whether a database was ever migrated. */
export const hasSchema = async (db: Queryable): Promise<boolean> => {
  const { rows } = await db.query<{ there: boolean }>("select to_regclass('schema_migrations') is not null as there");
  return rows[0]?.there === true;
};

/** Reads which migrations a database has. Throws if this build cannot run on them, however it is migrated. */
export const schemaOf = async (db: Queryable, known: readonly Migration[]): Promise<FoundSchema> => {
  const { rows } = await db.query<AppliedRow>(
    "select version, name, checksum, breaking from schema_migrations order by version",
  );
  const applied = rows.filter(({ version }) => version <= known.length);
  const newer = rows.slice(applied.length);
  checkApplied(applied, known);
  const missing = known.slice(applied.length);
  checkNewer(newer, known.length, missing);
  return { applied: applied.length, missing, newer: newer.map(({ name }) => name) };
};

/** Checks first: changing a table, or `create table if not exists`, needs rights that the service may not have. */
const ensureMigrationTable = async (client: pg.Client): Promise<void> => {
  const { rows } = await client.query<{ name: string }>(
    "select attname as name from pg_attribute where attrelid = to_regclass('schema_migrations') and attnum > 0",
  );
  if (rows.some(({ name }) => name === "breaking")) return;
  await client
    .query(`${rows.length === 0 ? MIGRATION_TABLE : ""}; alter table schema_migrations ${WITH_BREAKING}`)
    .catch(failing("The schema cannot be created; nothing was changed."));
};

const MIGRATION_TABLE = `create table if not exists schema_migrations (
  version int primary key, name text not null, checksum text not null, applied_at timestamptz not null default now())`;

/** Versions before this column did not record it, so theirs count as breaking. */
const WITH_BREAKING = "add column breaking boolean not null default true";

const grant = (client: pg.Client, role: string): Promise<void> =>
  grantToService(client, role).catch((error: unknown) => {
    throw new Error(`The rights of ${role} could not be granted. Create the role first, and migrate as the owner.`, {
      cause: error,
    });
  });

const INSUFFICIENT_PRIVILEGE = "42501";

const failing =
  (what: string) =>
  (error: unknown): never => {
    const isRight = error instanceof pg.DatabaseError && error.code === INSUFFICIENT_PRIVILEGE;
    const advice = isRight
      ? "This role may not change the schema: run `curtail migrate` with the owner's DATABASE_URL first."
      : "Fix the cause and start again.";
    throw new Error(`${what} ${advice}`, { cause: error });
  };

const checkApplied = (applied: readonly AppliedRow[], known: readonly Migration[]): void => {
  for (const [index, row] of applied.entries()) {
    const migration = known[index];
    if (migration?.version === row.version && migration.checksum === row.checksum) continue;
    throw new Error(
      `Migration ${row.version} (${row.name}) was applied with different content than in this build. ` +
        "Start the build that created the database, or restore the backup.",
    );
  }
};

const checkNewer = (newer: readonly AppliedRow[], understood: number, missing: readonly Migration[]): void => {
  const newest = newer.at(-1);
  if (newest === undefined) return;
  const breaking = newer.find((row) => row.breaking);
  if (breaking === undefined && missing.length === 0) return;
  const why =
    breaking === undefined ? `${missing[0]?.name} is missing in it` : `${breaking.name} breaks older versions`;
  throw new Error(
    `Schema ${newest.version} is newer than this build understands (${understood}): ${why}. ` +
      "Upgrade the service or restore the backup.",
  );
};

/** Processes of the previous version would go on with a schema they do not know. */
const checkNobodyBroken = async (client: pg.Client, missing: readonly Migration[]): Promise<void> => {
  const breaking = missing.find((migration) => migration.breaking);
  if (breaking === undefined || !(await isServed(client))) return;
  throw new Error(
    `Migration ${breaking.name} is not compatible with the version that is running on this database. ` +
      "Stop every process of the service, then start this version.",
  );
};

/** While a change waits for its table lock, all readers of the table queue behind it; so it gives up and retries. */
const LOCK_WAIT_MS = 1000;
const LOCK_AGAIN_MS = 1000;
const LOCK_TRIES = 300;

const LOCK_NOT_AVAILABLE = "55P03";

const apply = async (client: pg.Client, migration: Migration): Promise<void> => {
  for (let tried = 1; ; tried++) {
    try {
      await applyOnce(client, migration);
      return;
    } catch (error) {
      const isInUse = error instanceof pg.DatabaseError && error.code === LOCK_NOT_AVAILABLE;
      // Otherwise the connection is closed next, and the database rolls back.
      if (!isInUse || tried === LOCK_TRIES) failing(`Migration ${migration.name} failed and was rolled back.`)(error);
    }
    await client.query("rollback");
    await sleep(LOCK_AGAIN_MS);
  }
};

const applyOnce = async (client: pg.Client, migration: Migration): Promise<void> => {
  await client.query("begin");
  await client.query(`set local lock_timeout = ${LOCK_WAIT_MS}`);
  await client.query(migration.sql);
  await client.query("insert into schema_migrations (version, name, checksum, breaking) values ($1, $2, $3, $4)", [
    migration.version,
    migration.name,
    migration.checksum,
    migration.breaking,
  ]);
  await client.query("commit");
};

/**
 * From now on, versions that do not know the migration are refused: something is stored that they do not read. A role that
 * only serves reads that it is so, but cannot say it.
 */
export const markBreaking = async (db: Queryable, version: number): Promise<void> => {
  const { rowCount } = await db.query("select from schema_migrations where version = $1 and not breaking", [version]);
  if (rowCount === 0) return;
  await db
    .query("update schema_migrations set breaking = true where version = $1", [version])
    .catch(failing("The settings store what earlier versions do not read, which could not be noted."));
};
