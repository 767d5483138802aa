import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { advisoryLocks } from "../../platform/database/advisory-locks.js";
import type { Opening } from "../domain/content.js";
import { quoted, refuseForeignTables, type SavedTable, savedTables } from "./saved-tables.js";

/** One state of a database, for as long as the transaction of its client lasts. */
export interface OpenedState {
  readonly client: pg.Client;
  readonly tables: readonly SavedTable[];
  /** The schema that it has. */
  readonly migrations: Opening["migrations"];
  /** The moment of that state. */
  readonly at: Date;
  /** Called after each table: gives back the locks that are not needed any more. */
  giveBack(): Promise<void>;
  /** Ends the transaction. */
  end(): Promise<void>;
}

export const appliedMigrations = async (client: pg.Client): Promise<Opening["migrations"]> => {
  const { rows } = await client.query<Opening["migrations"][number]>(
    "select name, checksum from schema_migrations order by version",
  );
  return rows;
};

const MIGRATION_LOOK_MS = 100;
const LOCK_WAIT_MS = 1000;
const LOCK_TRIES = 300;
const LOCK_NOT_AVAILABLE = "55P03";

/**
 * Opens a state of the database that is written to. Writers are not held up. Tables are locked against changes of their
 * form before the state is fixed, and while no migration runs: what a migration has rewritten would look empty. A migration
 * meanwhile gives way, and tries again. Aborting `asked` ends every wait within a second.
 */
export const openPrimary = async (client: pg.Client, asked: AbortSignal): Promise<OpenedState> => {
  await awaitMigrations(client, asked);
  const tables = await lockedTables(client, asked);
  const migrations = await appliedMigrations(client);
  const { rows: times } = await client.query<{ at: Date }>("select clock_timestamp() as at");
  await client.query("select pg_advisory_unlock_shared($1)", [advisoryLocks.migration]);
  return {
    client,
    tables,
    migrations,
    at: times[0]?.at ?? new Date(),
    // Until the end no table may change its form.
    giveBack: async () => {},
    end: async () => void (await client.query("commit")),
  };
};

/** Asks again and again: a statement that waits for a lock cannot be asked to stop. */
const awaitMigrations = async (client: pg.Client, asked: AbortSignal): Promise<void> => {
  for (;;) {
    const { rows } = await client.query<{ taken: boolean }>("select pg_try_advisory_lock_shared($1) as taken", [
      advisoryLocks.migration,
    ]);
    if (rows[0]?.taken === true) return;
    await sleep(MIGRATION_LOOK_MS, undefined, { signal: asked });
  }
};

/** Waits a second at a time: a reader of a table queues behind statements that wait to change it. */
const lockedTables = async (client: pg.Client, asked: AbortSignal): Promise<readonly SavedTable[]> => {
  // Sizes of tables wait for locks, too.
  await client.query(`set lock_timeout = ${LOCK_WAIT_MS}`);
  for (let tried = 1; ; tried++) {
    try {
      const tables = await savedTables(client);
      await refuseForeignTables(client, tables);
      await client.query("begin isolation level repeatable read, read only");
      await client.query(`lock table ${tables.map(({ table }) => quoted(table)).join(", ")} in access share mode`);
      return tables;
    } catch (error) {
      const isInUse = error instanceof pg.DatabaseError && error.code === LOCK_NOT_AVAILABLE;
      if (!isInUse || tried === LOCK_TRIES) throw error;
    }
    await client.query("rollback");
    await sleep(LOCK_WAIT_MS, undefined, { signal: asked });
  }
};
