import pg from "pg";
import type { Queryable } from "./database.js";

/** Tables that are only added to: triggers let rows be deleted with a demo, and never otherwise. */
const EVIDENCE = `
  select tgrelid::regclass::text as name from pg_trigger join pg_class on pg_class.oid = tgrelid
  where tgname = 'is_append_only' and relnamespace in (current_schema()::regnamespace, 'sandbox'::regnamespace) order by 1`;

/**
 * Grants a role the rights of the service and no more. It owns no table, so it can neither drop nor disable the
 * triggers that protect the audit log and the evidence. Covers the tables of this schema version; call it after
 * migrating.
 */
export const grantToService = async (db: Queryable, role: string): Promise<void> => {
  const to = pg.escapeIdentifier(role);
  const { rows } = await db.query<{ schema: string }>("select quote_ident(current_schema()) as schema");
  const evidence = (await db.query<{ name: string }>(EVIDENCE)).rows.map(({ name }) => name);
  const schemas = `${rows[0]?.schema ?? "public"}, sandbox`;
  await db.query(`
    begin;
    revoke all on all tables in schema ${schemas} from ${to};
    grant usage on schema ${schemas} to ${to};
    grant select, insert, update, delete on all tables in schema ${schemas} to ${to};
    grant usage on all sequences in schema ${schemas} to ${to};
    revoke update on ${evidence.join(", ")} from ${to};
    revoke update, delete on audit_log, sandbox.audit_log from ${to};
    revoke insert, update, delete on schema_migrations from ${to};
    commit`);
};
