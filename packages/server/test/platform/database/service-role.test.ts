import { SERVICE_ROLE } from "@curtail/embedded-postgres";
import { atEnd } from "@curtail/testing/at-end";
import pg from "pg";
import { describe, expect, test } from "vitest";
import { cloneDatabase } from "../../support/database.js";

const db = await cloneDatabase();
atEnd(() => db.drop());

test("the service's role is no superuser, owns nothing, and cannot become another", async () => {
  const { rows } = await db.servicePool.query(
    `select current_user as name, rolsuper, rolcreaterole, rolcreatedb, rolbypassrls, rolreplication,
       (select count(*)::int from pg_class where relowner = pg_roles.oid) as owned,
       pg_has_role('curtail', 'member') as member
     from pg_roles where rolname = current_user`,
  );
  const no = { rolsuper: false, rolcreaterole: false, rolcreatedb: false, rolbypassrls: false, rolreplication: false };
  expect(rows).toEqual([{ name: SERVICE_ROLE, ...no, owned: 0, member: false }]);
});

describe("the service's role", () => {
  const attempts = [
    "drop trigger audit_log_is_append_only on audit_log",
    "alter table audit_log disable trigger all",
    "set session_replication_role = replica",
    "update audit_log set action = 'nothing'",
    "delete from audit_log",
    "truncate audit_log",
    "drop table audit_log",
    "delete from sandbox.audit_log",
    "alter table sandbox.audit_log disable trigger all",
    "create or replace function refuse_audit_change() returns trigger language plpgsql as 'begin return new; end'",
    "create table mine (id int)",
    "delete from schema_migrations",
    "set role curtail",
    "alter role current_user superuser",
    "copy (select 1) to program 'id'",
    "select pg_read_file('/etc/passwd')",
  ];

  test("may not change the audit log, nor what protects it, nor reach beyond its tables", async () => {
    for (const statement of attempts) {
      const outcome = await db.servicePool.query(statement).then(
        () => "done",
        (error: unknown) => (error instanceof pg.DatabaseError ? error.code : String(error)),
      );
      // 42501: insufficient_privilege.
      expect([statement, outcome]).toEqual([statement, "42501"]);
    }
  });

  test("may not change evidence, whichever table has it", async () => {
    const { rows } = await db.pool.query(
      `select tgrelid::regclass::text as name, has_table_privilege('${SERVICE_ROLE}', tgrelid, 'update') as may_update
       from pg_trigger where tgname = 'is_append_only' order by 1`,
    );
    expect(rows.map(({ name }) => name)).toEqual(expect.arrayContaining(["dispatch_revisions", "ven_push_drops"]));
    expect(rows.filter(({ may_update }) => may_update)).toEqual([]);
  });
});
