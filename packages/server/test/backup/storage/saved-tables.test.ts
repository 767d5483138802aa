import { atEnd } from "@curtail/testing/at-end";
import { expect, test } from "vitest";
import { savedSequences, savedTables } from "../../../src/backup/storage/saved-tables.js";
import { cloneDatabase, type TestDatabase } from "../../support/database.js";

/** Relations with rows of their own that no backup has; each with the reason. */
const LEFT_OUT: Readonly<Record<string, string>> = {};

/** Relations with rows, of every schema but PostgreSQL's own, that are neither in a backup nor left out. */
const forgottenIn = async ({ pool }: TestDatabase): Promise<readonly string[]> => {
  const { rows } = await pool.query<{ name: string }>(
    `select nspname || '.' || relname as name from pg_class join pg_namespace on pg_namespace.oid = relnamespace
     where nspname !~ '^pg_' and nspname <> 'information_schema' and relkind not in ('i', 'I', 'v', 'c', 't')`,
  );
  const saved = new Set([
    ...(await savedTables(pool)).map(({ table }) => table),
    ...(await savedSequences(pool)).map(({ name }) => name),
  ]);
  expect(rows.length).toBeGreaterThan(80);
  return rows.map(({ name }) => name).filter((name) => !saved.has(name) && !(name in LEFT_OUT));
};

test("every relation with rows of every schema is in a backup or left out for a reason", async () => {
  const database = await cloneDatabase();
  atEnd(() => database.drop());
  expect(await forgottenIn(database)).toEqual([]);
});

test("control: a table of a schema that backups do not know is found", async () => {
  const database = await cloneDatabase();
  atEnd(() => database.drop());
  await database.pool.query("create schema other; create table other.forgotten (id int)");
  expect(await forgottenIn(database)).toEqual(["other.forgotten"]);
});
