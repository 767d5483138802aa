import { randomBytes } from "node:crypto";
import pg from "pg";
import { inject } from "vitest";
import { openPool } from "../../src/storage/database.js";

export interface TestDatabase {
  readonly connection: { host: string; port: number; user: string; database: string };
  readonly pool: pg.Pool;
  drop(): Promise<void>;
}

/** A database of its own, cloned from the migrated template. */
export const cloneDatabase = async (): Promise<TestDatabase> => {
  const connection = { ...inject("database"), database: `test_${randomBytes(6).toString("hex")}` };
  await administer(`create database ${connection.database} template template_curtail`);
  // A connection that the tests themselves break is expected; everything else shows in the query that meets it.
  const pool = openPool(connection, () => {});
  return {
    connection,
    pool,
    async drop() {
      await pool.end();
      await administer(`drop database ${connection.database} with (force)`);
    },
  };
};

const administer = async (statement: string): Promise<void> => {
  const client = new pg.Client({ ...inject("database"), database: "postgres" });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
};
