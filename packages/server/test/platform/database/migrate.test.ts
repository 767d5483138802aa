import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { SERVICE_ROLE } from "@curtail/embedded-postgres";
import pg from "pg";
import { describe, expect, onTestFinished, test } from "vitest";
import { closePool, openPool } from "../../../src/platform/database/database.js";
import { migrate } from "../../../src/platform/database/migrate.js";
import { type Migration, parseMigration, readMigrations } from "../../../src/platform/database/migration.js";
import { cloneDatabase, emptyDatabase, type TestDatabase } from "../../support/database.js";
import { applied, database, migratedFurther } from "../../support/migrating.js";

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
    const hasty = new pg.Pool({ ...db.connection, statement_timeout: 1, query_timeout: 1 });
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

const migrations = new URL("../../../migrations/", import.meta.url);

/** A database left by a build that knew only the first `version` migrations. */
const databaseAtVersion = async (version: number): Promise<TestDatabase> => {
  const db = await database(emptyDatabase);
  await db.pool.query(
    "create table schema_migrations (version int primary key, name text not null, checksum text not null, applied_at timestamptz not null default now())",
  );
  const names = (await readdir(migrations)).sort().slice(0, version);
  for (const [index, name] of names.entries()) {
    const sql = await readFile(new URL(name, migrations), "utf8");
    await db.pool.query(sql);
    const checksum = createHash("sha256").update(sql).digest("hex");
    await db.pool.query("insert into schema_migrations values ($1, $2, $3)", [index + 1, name, checksum]);
  }
  return db;
};

/** One of each object that the steps after version 11 change. */
const inUse = `
  insert into accounts (id, name, disabled, created_at) values ('acc_1', 'Acme', false, now());
  insert into api_keys (id, account_id, environment, claim_token_hash, claim_expires_at, last_used_at, created_at)
    values ('key_1', 'acc_1', 'production', 'a', now(), '2030-01-01T00:00Z', now());
  insert into programs (id, name, timezone, market, program_type, schedule_cutoff_seconds, created_at)
    values ('prg_1', 'P', 'UTC', '', 'capacity', 0, now());
  insert into dispatches (id, program_id, program_name, program_timezone, program_market, program_type, test, authorized,
    start_time, end_time, notification_time, modification_number, created_at, changed_at)
    select 'dis_' || program, program, 'P', 'UTC', '', 'capacity', false, true, now(), null, now(), 1, now(), now()
    from unnest(array['prg_1', 'prg_test_dispatch']) as program;
  insert into dispatch_revisions (dispatch_id, modification_number, at, actor, start_time, authorized)
    values ('dis_prg_1', 1, now() - interval '1 minute', 'operator', now(), true);
  insert into notices (dispatch_id, event, due_at, state) values
    ('dis_prg_1', 'dispatch.create', now(), 'sent'), ('dis_prg_1', 'dispatch.update', now(), 'waiting'),
    ('dis_prg_test_dispatch', 'dispatch.create', now(), 'waiting');
  insert into mails (id, account_id, notice_seq, dispatch_id, event, state, created_at, sent_at, judged_at, given_up_at) values
    ('mail_1', 'acc_1', 1, 'dis_prg_1', 'dispatch.create', 'kept', now(), null, '2030-01-01T00:00Z', now()),
    ('mail_2', 'acc_1', 2, 'dis_prg_1', 'dispatch.update', 'sent', now(), now(), null, null);
  insert into alarms (id, kind, subject, account_id, message, raised_at)
    values ('alm_1', 'notice_failed', 'mail_1', 'acc_1', 'm', now());
  insert into vens (id, account_id, ven_id, environment, target_resource, target_ven_id, market_context,
    poll_interval_seconds, created_at, last_acknowledgement_at)
    values ('ven_1', 'acc_1', 'v', 'production', 'site_id', false, '*', 10, now(), now());
  insert into ven_events (ven, dispatch_id, first_shown_at, shown_modification, modification_shown_at,
    acknowledged_modification, opt, response_code, acknowledged_at)
    values ('ven_1', 'dis_prg_1', now(), 1, now(), 1, 'optOut', '400', now());
  insert into ven_acknowledgements (ven, dispatch_id, modification_number, opt, response_code, at) values
    ('ven_1', 'dis_prg_1', 0, 'optIn', '200', '2030-01-01T00:00Z'), ('ven_1', 'dis_prg_1', 1, 'optOut', '400', now()),
    ('ven_1', 'dis_prg_1', 1, 'optOut', '400', now());
  insert into sandbox.scenarios (id, account_id, scenario_type, speed, created_at, replaced_at) values
    ('scn_1', 'acc_1', 'basic', 1, now(), now()), ('scn_2', 'acc_1', 'basic', 1, now(), null)`;

describe("migrating a database in use of version 11", () => {
  test("keeps its rows, and fills new columns from what is known", async () => {
    const db = await databaseAtVersion(11);
    await db.pool.query(inUse);
    expect((await migrate(db.pool, { serviceRole: SERVICE_ROLE })).applied[0]).toBe("0012_owed_notices.sql");
    const at = new Date("2030-01-01T00:00Z");
    const all = async (query: string) => (await db.servicePool.query({ text: query, rowMode: "array" })).rows;
    expect(await all("select modification_number, owed_look_at is not null from notices order by seq")).toEqual([
      [0, false],
      [1, true],
      [0, false],
    ]);
    expect(await all("select id, overdue_at, carried_modification from mails order by id")).toEqual([
      ["mail_1", at, null],
      ["mail_2", null, 1],
    ]);
    expect(await all("select account_id, last_at from account_polls")).toEqual([["acc_1", at]]);
    expect(await all("select code, count from ven_errors")).toEqual([["400", 2]]);
    expect(await all("select modification_number from ven_acknowledgements")).toEqual([[0]]);
    expect(await all("select response_code from ven_events")).toEqual([[null]]);
    expect(await all("select last_acknowledgement_at from vens")).toEqual([[at]]);
    expect(await all("select sites from sandbox.scenarios")).toEqual([[0], [0]]);
  });
});

/** A dispatch that was sent to a webhook and two VENs, and an account that was disabled meanwhile. */
const dispatched = `
  insert into accounts (id, name, disabled, created_at) values ('acc_1', 'Acme', true, '2030-01-01T00:00Z');
  insert into sites (id, account_id, name, customer_location_id, dispatch_group, timezone, created_at)
    values ('site_1', 'acc_1', '', '', '', 'UTC', now());
  insert into dispatches (id, program_id, program_name, program_timezone, program_market, program_type, test, authorized,
    start_time, notification_time, modification_number, created_at, changed_at)
    values ('dis_1', 'prg_test_dispatch', 'P', 'UTC', '', 'capacity', false, true, '2030-01-02T00:00Z', '2030-01-01T12:00Z', 2,
      '2030-01-01T10:00Z', '2030-01-01T13:00Z');
  insert into dispatch_sites (dispatch_id, position, site_id, account_id, name, customer_location_id, dispatch_group)
    values ('dis_1', 0, 'site_1', 'acc_1', '', '', '');
  insert into dispatch_revisions (dispatch_id, modification_number, at, actor, start_time, authorized) values
    ('dis_1', 0, '2030-01-01T10:00Z', 'operator', '2030-01-02T00:00Z', true),
    ('dis_1', 1, '2030-01-01T11:00Z', 'operator', '2030-01-02T00:00Z', true),
    ('dis_1', 2, '2030-01-01T13:00Z', 'operator', '2030-01-02T00:00Z', true);
  insert into notices (dispatch_id, event, due_at, state, modification_number) values
    ('dis_1', 'dispatch.create', '2030-01-01T12:00Z', 'sent', 0), ('dis_1', 'dispatch.update', '2030-01-01T13:00Z', 'waiting', 2);
  insert into vens (id, account_id, ven_id, environment, site_ids, target_resource, target_ven_id, market_context,
    poll_interval_seconds, created_at) values
    ('ven_1', 'acc_1', 'one', 'production', null, 'site_id', false, '*', 10, '2030-01-01T00:00Z'),
    ('ven_2', 'acc_1', 'two', 'production', '{site_2}', 'site_id', false, '*', 10, '2030-01-01T00:00Z'),
    ('ven_3', 'acc_1', 'three', 'production', null, 'site_id', false, '*', 10, '2030-01-01T12:30Z');
  insert into ven_showings (ven, dispatch_id, modification_number, how, at)
    values ('ven_1', 'dis_1', 1, 'poll', '2030-01-01T12:00:05Z');
  insert into webhooks (id, account_id, url, events, secret, created_at, deleted_at) values
    ('wh_1', 'acc_1', 'https://a.example', '{dispatch.create}', 's', now(), null),
    ('wh_2', 'acc_1', 'https://b.example', '{dispatch.create}', 's', now(), '2030-01-01T12:10Z');
  insert into deliveries (id, webhook_id, notice_seq, dispatch_id, event, state, created_at) values
    ('dlv_1', 'wh_1', 1, 'dis_1', 'dispatch.create', 'dropped', '2030-01-01T12:00Z'),
    ('dlv_2', 'wh_2', 1, 'dis_1', 'dispatch.create', 'dropped', '2030-01-01T12:00Z');
  insert into audit_log (at, actor, action, subject, account_id, before, after) values
    ('2030-01-01T12:20Z', 'operator', 'account.change', 'acc_1', 'acc_1', '{"disabled": false}', '{"disabled": true}')`;

const at = (time: string) => new Date(`2030-01-01T${time}Z`);

describe("migrating a database in use of version 14", () => {
  test("gives evidence what is known of notices that went out, and leaves the others to the service", async () => {
    const db = await databaseAtVersion(14);
    await db.pool.query(dispatched);
    await migrate(db.pool, { serviceRole: SERVICE_ROLE });
    const all = async (query: string) => (await db.servicePool.query({ text: query, rowMode: "array" })).rows;
    expect(await all("select ven, modification_number, at, ven_id, site_ids, poll_by from ven_notices")).toEqual([
      ["ven_1", 1, at("12:00:00"), "one", null, at("12:00:30")],
    ]);
    expect(await all("select noted_at from notices order by seq")).toEqual([[at("12:00:00")], [null]]);
    expect(await all("select acknowledge_by from ven_showings")).toEqual([[at("12:02:05")]]);
    expect(await all("select ended_at, reason from messages order by id")).toEqual([
      [at("12:20:00"), "account_disabled"],
      [at("12:10:00"), "webhook_deleted"],
    ]);
  });
});

const migrationOf = async (noun: string): Promise<string> => {
  const name = (await readdir(migrations)).find((each) => each.endsWith(`_${noun}.sql`)) ?? "none";
  return readFile(new URL(name, migrations), "utf8");
};

describe("migrating to emails that are owned once an invitation is accepted", () => {
  test("leaves emails with those who have a password or single sign-on, and nobody else", async () => {
    const db = await database(cloneDatabase);
    const [before, step] = [await migrationOf("users"), await migrationOf("people")];
    const client = await db.pool.connect();
    onTestFinished(() => client.release());
    await client.query("create schema old; set search_path = old");
    await client.query("create table accounts (id text primary key)");
    await client.query(before);
    await client.query(`insert into users (id, email, name, role, password_hash, oidc_issuer, oidc_subject, created_at)
      values ('1', 'a@example.com', 'A', 'operator', 'hash', null, null, now()),
        ('2', 'b@example.com', 'B', 'operator', null, 'issuer', 'subject', now()),
        ('3', 'c@example.com', 'C', 'operator', null, null, null, now())`);
    await client.query(step);
    const { rows } = await client.query("select id from users where accepted_at is not null order by id");
    expect(rows).toEqual([{ id: "1" }, { id: "2" }]);
    const twin =
      "insert into users (id, email, name, role, accepted_at, created_at) values ($1, $2, 'T', 'operator', now(), now())";
    await expect(client.query(twin, ["4", "A@example.com"])).rejects.toThrow(/users_owned_email|users_invited_email/);
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
    addedTo.push("mail_handovers", "mail_recipients");
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
