import { atEnd } from "@curtail/testing/at-end";
import { expect, test } from "vitest";
import { refuseForeignTables, savedSequences, savedTables } from "../../../src/backup/storage/saved-tables.js";
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

test("a table of another application is refused by name, and one of the service never is", async () => {
  const database = await cloneDatabase();
  atEnd(() => database.drop());
  await refuseForeignTables(database.pool, await savedTables(database.pool));
  await database.pool.query("create table widgets (id int); create table sandbox.gadgets (id int)");
  await expect(refuseForeignTables(database.pool, await savedTables(database.pool))).rejects.toThrow(
    "public.widgets, sandbox.gadgets",
  );
});

test("what came with an extension is not in a backup", async () => {
  const database = await cloneDatabase();
  atEnd(() => database.drop());
  await database.pool.query("create table reference_systems (id int generated always as identity)");
  const sequences = async () => (await savedSequences(database.pool)).map(({ name }) => name);
  expect(await sequences()).toContain("public.reference_systems_id_seq");
  await database.pool.query(
    "alter extension plpgsql add table reference_systems; alter extension plpgsql add sequence reference_systems_id_seq",
  );
  expect((await savedTables(database.pool)).map(({ table }) => table)).not.toContain("public.reference_systems");
  expect(await sequences()).not.toContain("public.reference_systems_id_seq");
});
