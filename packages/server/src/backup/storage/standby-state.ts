import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { BackupFault } from "../../platform/backup-fault.js";
import { withBackupClient } from "./backup-connection.js";
import { appliedMigrations, type OpenedState, openPrimary } from "./opened-state.js";
import { refuseForeignTables, savedTables } from "./saved-tables.js";

interface StateOrder {
  readonly connection: pg.ClientConfig;
  /** Of a standby that the state is read from; null or absent: it is read from `connection`. */
  readonly standby?: pg.ClientConfig | null;
  readonly asked: AbortSignal;
}

/** Opens a state for the time of some work: of the standby, or of the database itself where the address leads to no standby. */
export const withState = async <T>(order: StateOrder, work: (state: OpenedState) => Promise<T>): Promise<T> => {
  const { connection, standby = null, asked } = order;
  if (standby !== null) {
    const reached = await withBackupClient(connection, markOf);
    const made = await fromStandby(standby, reached, { asked, work });
    if (made !== null) return made.result;
  }
  return withBackupClient(connection, async (client) => work(await openPrimary(client, asked)));
};

/** A place in the log of a cluster. */
interface Mark {
  /** Of the cluster and its standbys. */
  readonly cluster: string;
  readonly position: string;
  readonly at: Date;
}

/** What was answered before is in the log up to here. */
const markOf = async (client: pg.Client): Promise<Mark> => {
  const { rows } = await client.query<Mark>(
    `select clock_timestamp() as at, pg_current_wal_flush_lsn()::text as position, ${CLUSTER} as cluster`,
  );
  const [mark] = rows;
  if (mark === undefined) throw new Error("the database did not return its position");
  return mark;
};

const CLUSTER = "(select system_identifier::text from pg_control_system())";

interface Reading<T> {
  readonly asked: AbortSignal;
  readonly work: (state: OpenedState) => Promise<T>;
}

/** null: it is no standby. */
const fromStandby = <T>(
  standby: pg.ClientConfig,
  reached: Mark,
  { asked, work }: Reading<T>,
): Promise<{ readonly result: T } | null> => {
  let broken: unknown = null;
  return withBackupClient(standby, async (client) => {
    // A conflict between two statements ends the connection, and only the first error says why.
    client.on("error", (error) => {
      broken ??= error;
    });
    const { rows } = await client.query<{ recovers: boolean; cluster: string }>(
      `select pg_is_in_recovery() as recovers, ${CLUSTER} as cluster`,
    );
    if (rows[0]?.cluster !== reached.cluster) throw new BackupFault("standby", OTHER_CLUSTER);
    if (!rows[0].recovers) return null;
    await awaitReplay(client, reached, asked);
    return { result: await work(await openStandby(client, reached.at)) };
  }).catch((error: unknown) => {
    throw cancelled(broken) ?? cancelled(error) ?? error;
  });
};

const OTHER_CLUSTER =
  "The database of CURTAIL_BACKUP_DATABASE_URL is no standby of that of DATABASE_URL. Set the address of one of its standbys.";

const REPLAY_LOOK_MS = 100;
const REPLAY_LOOKS = 600;

/** A standby that is behind lacks what was answered. */
const awaitReplay = async (client: pg.Client, { position }: Mark, asked: AbortSignal): Promise<void> => {
  for (let looks = 0; looks < REPLAY_LOOKS; looks++) {
    const { rows } = await client.query<{ reached: boolean }>(
      "select pg_last_wal_replay_lsn() >= $1::pg_lsn as reached",
      [position],
    );
    if (rows[0]?.reached === true) return;
    await sleep(REPLAY_LOOK_MS, undefined, { signal: asked });
  }
  throw new BackupFault(
    "standby",
    "The standby has been behind the primary for a minute, and a backup of it would lack what was answered. Check its machine and network, or " +
      "make the backup without CURTAIL_BACKUP_DATABASE_URL.",
  );
};

/** Tables whose form is being changed are waited for this long. */
const LOCK_WAIT = "30s";

/**
 * Opens a state of a standby. A lock that lasted would hold up what the standby replays, which ends the reader after a while:
 * a vacuum that shortens a table is enough. So each table is locked for as long as it is read. A migration that the standby
 * replays meanwhile may have rewritten a table, which then looks empty: it is found at the end.
 */
const openStandby = async (client: pg.Client, at: Date): Promise<OpenedState> => {
  await client.query(`set lock_timeout = '${LOCK_WAIT}'`);
  await client.query("begin isolation level repeatable read, read only");
  // Fixes the state; what follows gives its locks back.
  await client.query("select pg_is_in_recovery()");
  await client.query("savepoint unlocked");
  const tables = await savedTables(client);
  await refuseForeignTables(client, tables);
  const migrations = await appliedMigrations(client);
  const giveBack = async (): Promise<void> => void (await client.query("rollback to savepoint unlocked"));
  await giveBack();
  const end = async (): Promise<void> => {
    await client.query("commit");
    const last = await appliedMigrations(client);
    if (last.length !== migrations.length) throw new BackupFault("standby", MIGRATED);
  };
  return { client, tables, migrations, at, giveBack, end };
};

const MIGRATED = "The schema was upgraded while the backup was made. Make it again.";

/** A class of codes: the server has given up a transaction for another. */
const ROLLED_BACK = "40";

const cancelled = (error: unknown): BackupFault | null =>
  error instanceof pg.DatabaseError && error.code?.startsWith(ROLLED_BACK) === true
    ? new BackupFault(
        "standby",
        "The standby cancelled the backup to go on following the primary. Set hot_standby_feedback = on there, so that the primary keeps " +
          `what the backup reads. PostgreSQL says: ${error.detail ?? error.message}`,
        { cause: error },
      )
    : null;
