import { describe, expect, onTestFinished, test } from "vitest";
import type { Queryable } from "../../../src/platform/database/database.js";
import { openPool } from "../../../src/platform/database/database.js";
import { checkDatabase } from "../../../src/platform/database/database-check.js";
import { cloneDatabase, emptyDatabase, type TestDatabase } from "../../support/database.js";

const database = async (make: () => Promise<TestDatabase>): Promise<TestDatabase> => {
  const made = await make();
  onTestFinished(() => made.drop());
  return made;
};

const good = { version: 150_004, fsync: "on", commit: "on", encoding: "UTF8" };

/** A database that reports these settings, which would otherwise need another server. */
const saying = (settings: Partial<typeof good>): Queryable =>
  ({ query: async () => ({ rows: [{ ...good, ...settings }] }) }) as unknown as Queryable;

describe("the check of the database (reliability: 200 after COMMIT)", () => {
  test("passes the database that the service makes for itself", async () => {
    const { pool } = await database(cloneDatabase);
    await expect(checkDatabase(pool)).resolves.toBeUndefined();
  });

  test("refuses one that commits before the log is on disk", async () => {
    const { pool, connection } = await database(cloneDatabase);
    await pool.query(`alter database ${connection.database} set synchronous_commit = off`);
    const later = openPool(connection, () => {}, { max: 1 });
    await expect(checkDatabase(later)).rejects.toThrow(/synchronous_commit is off; set synchronous_commit = on/);
    await later.end();
  });

  test("refuses one whose encoding cannot hold every name", async () => {
    const { pool } = await database(() => emptyDatabase("encoding 'SQL_ASCII' locale 'C'"));
    await expect(checkDatabase(pool)).rejects.toThrow(/its encoding is SQL_ASCII; create it with encoding UTF8/);
  });

  test("takes PostgreSQL 15 and refuses what is older", async () => {
    await expect(checkDatabase(saying({ version: 150_000 }))).resolves.toBeUndefined();
    await expect(checkDatabase(saying({ version: 140_011 }))).rejects.toThrow(/older than PostgreSQL 15/);
  });

  test("takes a replicated commit", async () => {
    for (const commit of ["local", "remote_write", "remote_apply"]) {
      await expect(checkDatabase(saying({ commit }))).resolves.toBeUndefined();
    }
  });

  test("reports everything that is wrong at once", async () => {
    const all = saying({ version: 130_000, fsync: "off", commit: "off", encoding: "LATIN1" });
    await expect(checkDatabase(all)).rejects.toThrow(
      /^The database cannot be used: .*older.*; fsync is off.*; synchronous_commit is off.*; its encoding is LATIN1.*\.$/,
    );
  });
});
