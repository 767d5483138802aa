import pg from "pg";
import { describe, expect, onTestFinished, test } from "vitest";
import { closePool, openPool } from "../../../src/platform/database/database.js";
import { migrate } from "../../../src/platform/database/migrate.js";
import { type Migration, parseMigration, readMigrations } from "../../../src/platform/database/migration.js";
import { cloneDatabase, emptyDatabase, type TestDatabase } from "../../support/database.js";
import { applied, database, migratedFurther } from "../../support/migrating.js";
import { databaseAtVersion } from "../../support/older-databases.js";

const tables = async ({ pool }: TestDatabase): Promise<string[]> =>
  (
    await pool.query<{ name: string }>("select tablename as name from pg_tables where schemaname = 'public' order by 1")
  ).rows.map((row) => row.name);

describe("migrating", () => {
  test("brings an empty database up, and does nothing the second time", async () => {
    const db = await database(emptyDatabase);
    const now = await migrate(db.pool);
    expect(now.applied).toContain("0001_initial.sql");
    expect(await applied(db)).toEqual(now.applied);
    expect(await migrate(db.pool)).toEqual({ applied: [], newer: [] });
  });

  test("refuses a migration that was applied with different content", async () => {
    const db = await database(cloneDatabase);
    await db.pool.query("update schema_migrations set checksum = 'x' where version = 1");
    await expect(migrate(db.pool)).rejects.toThrow(
      /Migration 1 \(0001_initial\.sql\) was applied with different content/,
    );
  });

  test("rolls back a migration that fails, stops, and continues once the cause is fixed", async () => {
    const db = await database(emptyDatabase);
    await db.pool.query("create table audit_log (in_the_way int)");
    const failure = migrate(db.pool);
    await expect(failure).rejects.toThrow(/0001_initial\.sql failed and was rolled back/);
    await expect(failure).rejects.toMatchObject({ cause: { message: 'relation "audit_log" already exists' } });
    expect(await tables(db)).toEqual(["audit_log", "schema_migrations"]);
    expect(await applied(db)).toEqual([]);
    await db.pool.query("drop table audit_log");
    expect((await migrate(db.pool)).applied).toContain("0001_initial.sql");
  });

  test("may take longer than any request may", async () => {
    const db = await database(emptyDatabase);
    const hasty = new pg.Pool({ ...db.connection, query_timeout: 1 });
    onTestFinished(() => hasty.end());
    expect((await migrate(hasty)).applied).toContain("0001_initial.sql");
  });

  test("leaves no lock behind, also when it fails", async () => {
    const db = await database(cloneDatabase);
    await db.pool.query("update schema_migrations set checksum = 'x' where version = 1");
    await expect(migrate(db.pool)).rejects.toThrow();
    const locks = () =>
      db.pool.query(
        "select from pg_locks where locktype = 'advisory' and database = (select oid from pg_database where datname = current_database())",
      );
    await expect.poll(async () => (await locks()).rowCount).toBe(0);
  });
});

/** This build with one more migration. */
const withNext = async (sql: string): Promise<Migration[]> => {
  const known = await readMigrations();
  const number = String(known.length + 1).padStart(4, "0");
  return [...known, parseMigration(`${number}_next.sql`, known.length, sql)];
};

describe("a schema that is newer than this build", () => {
  test("is refused where one of them does, and what to do is said", async () => {
    const db = await database(cloneDatabase);
    const known = await migratedFurther(db, true);
    const message = `Schema ${known + 1} is newer than this build understands (${known}): later.sql breaks older versions. Upgrade the service or restore the backup.`;
    await expect(migrate(db.pool)).rejects.toThrow(message);
  });

  test("is refused if it lacks a migration of this build", async () => {
    const db = await database(cloneDatabase);
    const known = await migratedFurther(db, false);
    await db.pool.query("delete from schema_migrations where version = $1", [known]);
    await expect(migrate(db.pool)).rejects.toThrow(
      /_[a-z0-9_]+\.sql is missing in it\. Upgrade the service or restore/,
    );
  });

  test("is refused where a migration of this build was applied with different content", async () => {
    const db = await database(cloneDatabase);
    await migratedFurther(db, false);
    await db.pool.query("update schema_migrations set checksum = 'x' where version = 1");
    await expect(migrate(db.pool)).rejects.toThrow(/was applied with different content/);
  });
});

const breaks = (name: string, sql: string): boolean =>
  parseMigration(name, Number.parseInt(name, 10) - 1, sql).breaking;

describe("a migration", () => {
  test("says in its first line whether it breaks the version before", () => {
    expect(breaks("0015_some.sql", "-- breaks: no\nselect 1")).toBe(false);
    expect(breaks("0015_some.sql", "-- breaks: yes, because a column goes\nselect 1")).toBe(true);
    for (const sql of ["select 1", "-- breaks: yes\nselect 1", "-- breaks: maybe", "select 1;\n-- breaks: no", ""])
      expect(() => breaks("0015_some.sql", sql)).toThrow(/0015_some\.sql does not say whether it breaks/);
    expect(breaks("0014_some.sql", "select 1")).toBe(true);
  });

  test("is recorded with that; what an older version applied is taken to break", async () => {
    const db = await databaseAtVersion(14);
    const known = await withNext("-- breaks: no\nselect 1");
    await migrate(db.pool, { known });
    const { rows } = await db.pool.query("select version, breaking from schema_migrations order by version");
    expect(rows).toEqual(known.map(({ version, breaking }) => ({ version, breaking })));
    expect(rows.slice(0, 14).every(({ breaking }) => breaking === true)).toBe(true);
  });

  test("that breaks is not applied while the service runs, and is once it has stopped", async () => {
    const db = await database(cloneDatabase);
    const serving = openPool(db.connection, () => {});
    await serving.query("select 1");
    const known = await withNext("-- breaks: yes, because it is a test\ncreate table later (id int)");
    await expect(migrate(db.pool, { known })).rejects.toThrow(
      /_next\.sql is not compatible with the version that is running on this database\. Stop every process of the service/,
    );
    expect(await tables(db)).not.toContain("later");
    await closePool(serving);
    expect((await migrate(db.pool, { known })).applied).toHaveLength(1);
  });

  test("gives way to readers of a table that it changes, and is applied once the table is free", async () => {
    const db = await database(cloneDatabase);
    const holder = await db.pool.connect();
    await holder.query("begin; lock table accounts in access share mode");
    const known = await withNext("-- breaks: no\nalter table accounts add column later int");
    const migrating = migrate(db.pool, { known });
    const waiting = async () =>
      (await db.pool.query("select from pg_locks where relation = 'accounts'::regclass and not granted")).rowCount;
    await expect.poll(waiting, { interval: 10 }).toBe(1);
    expect((await db.pool.query("select from accounts")).rowCount).toBe(0);
    await holder.query("commit");
    holder.release();
    expect((await migrating).applied).toHaveLength(1);
  });

  test("that does not break is applied while the service runs", async () => {
    const db = await database(cloneDatabase);
    const serving = openPool(db.connection, () => {});
    onTestFinished(() => serving.end());
    await serving.query("select 1");
    const known = await withNext("-- breaks: no\ncreate table later (id int)");
    expect((await migrate(db.pool, { known })).applied).toHaveLength(1);
  });
});

describe("a role for the service alone", () => {
  test("may read and write every table, only add to the audit log, change no evidence, and read what was migrated", async () => {
    const { servicePool } = await database(cloneDatabase);
    const { rows } = await servicePool.query<{ name: string; rights: string }>(
      `select schemaname || '.' || tablename as name, concat_ws(' ',
         case when has_table_privilege(format('%I.%I', schemaname, tablename), 'select') then 'select' end,
         case when has_table_privilege(format('%I.%I', schemaname, tablename), 'insert') then 'insert' end,
         case when has_table_privilege(format('%I.%I', schemaname, tablename), 'update') then 'update' end,
         case when has_table_privilege(format('%I.%I', schemaname, tablename), 'delete') then 'delete' end,
         case when has_table_privilege(format('%I.%I', schemaname, tablename), 'truncate, trigger') then 'more' end
       ) as rights from pg_tables where schemaname in ('public', 'sandbox')`,
    );
    expect(rows.length).toBeGreaterThan(30);
    const addedTo = ["message_attempts", "dispatch_page_reads", "dispatch_reads", "dispatch_revisions", "phone_calls"];
    addedTo.push("mail_handovers", "mail_recipients", "shift_reports", "shift_report_versions");
    addedTo.push(
      ...["acknowledgements", "notices", "omissions", "push_attempts", "push_drops", "showings"].map(
        (name) => `ven_${name}`,
      ),
      ...["answers", "notices", "showings"].map((name) => `openadr3_${name}`),
    );
    const special = new Map([
      ...addedTo.map((name): [string, string] => [`public.${name}`, "select insert delete"]),
      ["public.audit_log", "select insert"],
      ["sandbox.audit_log", "select insert"],
      ["sandbox.integration_certificates", "select insert delete"],
      ["public.schema_migrations", "select"],
    ]);
    for (const { name, rights } of rows)
      expect([name, rights]).toEqual([name, special.get(name) ?? "select insert update delete"]);
  });
});
