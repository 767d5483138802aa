import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import pg from "pg";
import { advisoryLocks } from "./advisory-locks.js";
import { grantToService } from "./service-role.js";

interface Migration {
  readonly version: number;
  readonly name: string;
  readonly sql: string;
  readonly checksum: string;
}

interface AppliedRow {
  readonly version: number;
  readonly name: string;
  readonly checksum: string;
}

const folder = new URL("../../migrations/", import.meta.url);

export interface MigrateOptions {
  /** A role other than the owner as which the service connects; it is granted what it needs. */
  readonly serviceRole?: string | null;
}

/**
 * Brings the schema up to this build, one transaction per migration, forward only.
 * Refuses a database that is newer than this build, or whose applied migrations are not the ones it knows.
 * @returns the names of the migrations applied now.
 */
export const migrate = async (pool: pg.Pool, { serviceRole = null }: MigrateOptions = {}): Promise<string[]> => {
  const known = await readMigrations();
  const client = await patientClient(pool);
  try {
    // Processes that start together wait here for the first of them.
    await client.query("select pg_advisory_lock($1)", [advisoryLocks.migration]);
    const applied = await applyMissing(client, known);
    if (serviceRole !== null) await grant(client, serviceRole);
    return applied;
  } finally {
    // Closing the connection releases the lock, also when something failed half way.
    await client.end();
  }
};

/** A connection without the time limits of requests: changing a large table may take minutes, here or in another process. */
const patientClient = async ({ options }: pg.Pool): Promise<pg.Client> => {
  const { statement_timeout: _statement, query_timeout: _query, ...rest } = options;
  const client = new pg.Client(rest);
  // A connection that breaks fails the statement that needs it; without a listener it would end the process.
  client.on("error", () => {});
  await client.connect();
  return client;
};

const applyMissing = async (client: pg.Client, known: readonly Migration[]): Promise<string[]> => {
  await ensureMigrationTable(client);
  const { rows: applied } = await client.query<AppliedRow>("select * from schema_migrations order by version");
  checkApplied(applied, known);
  const missing = known.slice(applied.length);
  for (const migration of missing) await apply(client, migration);
  return missing.map((migration) => migration.name);
};

/** Asks first: `create table if not exists` needs the right to create where the table exists, too. */
const ensureMigrationTable = async (client: pg.Client): Promise<void> => {
  const { rows } = await client.query<{ found: string | null }>("select to_regclass('schema_migrations') as found");
  if (rows[0]?.found !== null) return;
  await client
    .query(
      `create table if not exists schema_migrations (
         version int primary key, name text not null, checksum text not null, applied_at timestamptz not null default now())`,
    )
    .catch(failing("The schema cannot be made; nothing was changed."));
};

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
      : "Mend the cause and start again.";
    throw new Error(`${what} ${advice}`, { cause: error });
  };

const checkApplied = (applied: readonly AppliedRow[], known: readonly Migration[]): void => {
  const newest = applied.at(-1)?.version ?? 0;
  if (newest > known.length) {
    throw new Error(
      `Schema ${newest} is newer than this build understands (${known.length}). Upgrade the service or restore the backup.`,
    );
  }
  for (const [index, row] of applied.entries()) {
    const migration = known[index];
    if (migration?.version === row.version && migration.checksum === row.checksum) continue;
    throw new Error(
      `Migration ${row.version} (${row.name}) was applied with another content than this build has. ` +
        "Start the build that made the database, or restore the backup.",
    );
  }
};

const apply = async (client: pg.Client, migration: Migration): Promise<void> => {
  try {
    await client.query("begin");
    await client.query(migration.sql);
    await client.query("insert into schema_migrations (version, name, checksum) values ($1, $2, $3)", [
      migration.version,
      migration.name,
      migration.checksum,
    ]);
    await client.query("commit");
  } catch (error) {
    // The connection is closed next, and the database rolls back.
    failing(`Migration ${migration.name} failed; nothing of it was kept.`)(error);
  }
};

const readMigrations = async (): Promise<Migration[]> => {
  const names = (await readdir(folder)).filter((name) => name.endsWith(".sql")).sort();
  return Promise.all(names.map(readMigration));
};

const readMigration = async (name: string, index: number): Promise<Migration> => {
  const version = Number.parseInt(name, 10);
  if (version !== index + 1) throw new Error(`migrations are numbered without gaps; ${name} is number ${index + 1}`);
  const sql = await readFile(new URL(name, folder), "utf8");
  return { version, name, sql, checksum: createHash("sha256").update(sql).digest("hex") };
};
