import { randomBytes } from "node:crypto";
import pg from "pg";
import { inject } from "vitest";

export interface DatabaseConnection {
  readonly host: string;
  readonly port: number;
  readonly user: string;
  readonly database: string;
}

// Provided by the server's `global-setup.ts`.
declare module "vitest" {
  interface ProvidedContext {
    /** The PostgreSQL that all test files of a run share. */
    database: DatabaseConnection;
    /** Workers of its cluster, on each of which a database is made, too; none unless `TEST_CITUS_URL` names them. */
    workers: readonly DatabaseConnection[];
    /** Folder for files that the tests of a run share; removed after the last one. */
    runFolder: string;
    /** In memory, where there is room; programs may not be run from it. */
    fastestFolder: string;
  }
}

export interface OwnDatabase {
  /** As the owner of its tables. */
  readonly connection: DatabaseConnection;
  /** Runs a statement as the owner. */
  readonly run: (statement: string) => Promise<void>;
  /** Counts the rows of a query, as the owner. */
  readonly count: (query: string, values: readonly string[]) => Promise<number>;
  readonly drop: () => Promise<void>;
}

/**
 * A new database, cloned from the migrated template by copying its files, which is cheaper than copying pages through
 * the WAL.
 */
export const clonedDatabase = (): Promise<OwnDatabase> =>
  newDatabase("template template_curtail strategy file_copy", inject("workers"));

/** A new, empty database. */
export const emptyDatabase = (options = ""): Promise<OwnDatabase> =>
  newDatabase(`template template0 strategy file_copy ${options}`);

/** @param workers that have a part of it: their tables are found by name */
const newDatabase = async (options: string, workers: readonly DatabaseConnection[] = []): Promise<OwnDatabase> => {
  const connection = { ...inject("database"), database: `test_${randomBytes(6).toString("hex")}` };
  const onEach = async (statement: string): Promise<void> => {
    await administer(statement);
    for (const worker of workers) await runIn({ ...worker, database: "postgres" }, statement);
  };
  await onEach(`create database ${connection.database} ${options}`);
  return {
    connection,
    async run(statement) {
      await runIn(connection, statement);
    },
    count: (query, values) => runIn(connection, query, values),
    async drop() {
      // Citus has a process in each database that comes back, and for which a drop waits five seconds.
      if (workers.length > 0) await onEach(`alter database ${connection.database} with allow_connections false`);
      await dropped(async () => {
        if (workers.length > 0) await onEach(endAllOf(connection.database));
        await onEach(`drop database if exists ${connection.database} with (force)`);
      });
    },
  };
};

const endAllOf = (database: string): string =>
  `select pg_terminate_backend(pid, 5000) from pg_stat_activity where datname = '${database}'`;

const IN_USE = "55006";

/** A process may have been starting. */
const dropped = async (drop: () => Promise<void>): Promise<void> => {
  for (let tried = 1; ; tried++) {
    try {
      await drop();
      return;
    } catch (error) {
      if ((error as pg.DatabaseError).code !== IN_USE || tried === DROP_TRIES) throw error;
    }
  }
};

const DROP_TRIES = 20;

let administration: pg.Pool | undefined;

/** Runs a statement as superuser, outside of the tests' databases; connections are kept for the worker's other files. */
export const administer = async (statement: string): Promise<void> => {
  administration ??= keptPool({ ...inject("database"), database: "postgres" });
  await administration.query(statement);
};

const keptPool = (connection: DatabaseConnection): pg.Pool => {
  const pool = new pg.Pool({ ...connection, max: 2, idleTimeoutMillis: 0, allowExitOnIdle: true });
  // PostgreSQL stops before the workers do.
  return pool.on("error", () => {});
};

/** Answers how many rows there are. */
const runIn = async (
  connection: DatabaseConnection,
  statement: string,
  values: readonly string[] = [],
): Promise<number> => {
  const client = new pg.Client(connection);
  await client.connect();
  try {
    return (await client.query(statement, [...values])).rowCount ?? 0;
  } finally {
    await client.end();
  }
};

/** Runs a statement in a transaction that stays open; returns what commits it. */
export const leftOpen = async (connection: DatabaseConnection, statement: string): Promise<() => Promise<void>> => {
  const client = new pg.Client(connection);
  await client.connect();
  await client.query("begin");
  await client.query(statement);
  return async () => {
    await client.query("commit");
    await client.end();
  };
};
