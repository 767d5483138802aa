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
    /** Folder for files that the tests of a run share; removed after the last one. */
    runFolder: string;
  }
}

export interface OwnDatabase {
  /** As the owner of its tables. */
  readonly connection: DatabaseConnection;
  /** Runs a statement as the owner. */
  readonly run: (statement: string) => Promise<void>;
  readonly drop: () => Promise<void>;
}

/**
 * A new database, cloned from the migrated template by copying its files, which is cheaper than copying pages through
 * the WAL.
 */
export const clonedDatabase = (): Promise<OwnDatabase> => newDatabase("template template_curtail strategy file_copy");

/** A new, empty database. */
export const emptyDatabase = (options = ""): Promise<OwnDatabase> =>
  newDatabase(`template template0 strategy file_copy ${options}`);

const newDatabase = async (options: string): Promise<OwnDatabase> => {
  const connection = { ...inject("database"), database: `test_${randomBytes(6).toString("hex")}` };
  await administer(`create database ${connection.database} ${options}`);
  return {
    connection,
    run: (statement) => runIn(connection, statement),
    drop: () => administer(`drop database ${connection.database} with (force)`),
  };
};

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

const runIn = async (connection: DatabaseConnection, statement: string): Promise<void> => {
  const client = new pg.Client(connection);
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
};
