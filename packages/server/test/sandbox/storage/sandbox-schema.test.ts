import type pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openSandboxPool } from "../../../src/platform/database/database.js";
import { cloneDatabase, type TestDatabase } from "../../support/database.js";

let database: TestDatabase;
let sandbox: pg.Pool;

beforeAll(async () => {
  database = await cloneDatabase();
  sandbox = openSandboxPool(database.pool, () => {});
});

afterAll(async () => {
  await sandbox.end();
  await database.drop();
});

const columnsOf = async (schema: string): Promise<Map<string, string[]>> => {
  const { rows } = await database.pool.query<{ table_name: string; columns: string[] }>(
    `select table_name, array_agg(column_name || ' ' || data_type || ' ' || is_nullable order by column_name) as columns
     from information_schema.columns where table_schema = $1 group by table_name`,
    [schema],
  );
  return new Map(rows.map((row) => [row.table_name, row.columns]));
};

/** Of tables that both environments share. */
const views = new Set(["accounts", "journal"]);

test("a table that both have is of the same shape in both: who changes one changes the other", async () => {
  const [production, own] = [await columnsOf("public"), await columnsOf("sandbox")];
  const shared = [...own.keys()].filter((name) => production.has(name) && !views.has(name));
  expect(shared).toEqual(expect.arrayContaining(["webhooks", "notices", "messages", "dispatches"]));
  for (const name of shared) expect(own.get(name), name).toEqual(production.get(name));
});

test("a connection of the sandbox cannot see tables that only production has", async () => {
  const own = await columnsOf("sandbox");
  for (const name of (await columnsOf("public")).keys()) {
    if (own.has(name)) continue;
    await expect(sandbox.query(`select from ${name}`), name).rejects.toThrow(/does not exist/);
  }
});

test("every foreign key of the sandbox leads to the sandbox, or to an account", async () => {
  const { rows } = await database.pool.query<{ target: string }>(
    `select distinct confrelid::regclass::text as target from pg_constraint
     where contype = 'f' and connamespace = 'sandbox'::regnamespace order by 1`,
  );
  const outside = rows.map(({ target }) => target).filter((target) => !target.startsWith("sandbox."));
  expect(outside).toEqual(["accounts"]);
});
