import { expect, test } from "vitest";
import { readMigrations } from "../../../src/platform/database/migration.js";

/** Tables of requests that a migration locks against reading or writing; those that it creates do not count. */
const lockedBy = (sql: string): string[] => {
  const found = [
    ...sql.matchAll(/^\s*(?:alter table|update|create (?:unique )?index (?:\w+ )?on) (?:only )?([\w.]+)/gim),
    ...sql.matchAll(/^\s*create trigger \w+ (?:before|after) [^;]*?\son ([\w.]+)/gim),
  ];
  const created = new Set([...sql.matchAll(/create table ([\w.]+)/gi)].map(([, table]) => table));
  const tables = found.map(([, table = ""]) => table).filter((table) => !created.has(table));
  return [...new Set(tables)].filter((table) => !table.startsWith("sandbox."));
};

test("a migration locks one table of production at most: requests that use two lock them in another order", async () => {
  // Earlier ones were applied long ago, as was the trigger of demos, or break running processes.
  const migrations = (await readMigrations()).filter(
    ({ version, breaking }) => version > 22 && version !== 46 && !breaking,
  );
  expect(migrations.length).toBeGreaterThan(7);
  for (const { name, sql } of migrations) expect(lockedBy(sql).length, name).toBeLessThanOrEqual(1);
});

const trigger = (table: string): string =>
  `create trigger t after update of name\non ${table} for each row execute f();`;

test("a migration that locks two tables is found", () => {
  expect(lockedBy("alter table sites add column a int;\ncreate index on meters (a);")).toEqual(["sites", "meters"]);
  expect(lockedBy(`${trigger("sites")}\n${trigger("meters")}`)).toEqual(["sites", "meters"]);
  expect(lockedBy("create table x (a int);\nalter table x add column b int;")).toEqual([]);
});
