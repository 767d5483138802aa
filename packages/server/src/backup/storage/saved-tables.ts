import pg from "pg";
import { BackupFault } from "../../platform/backup-fault.js";
import type { Queryable } from "../../platform/database/database.js";
import { readMigrations } from "../../platform/database/migration.js";
import type { NewestRow, Sequence, TablePart } from "../domain/content.js";

/** The two schemas of the service, by the names that backups use; production's may have another name in a database. */
const SCHEMAS = "array['public', 'sandbox']::text[]";

/** Condition on the oid of a relation: it came with an extension, and comes again with it. */
const isOfExtension = (oid: string): string =>
  `exists (select from pg_depend where classid = 'pg_class'::regclass and objid = ${oid} and deptype = 'e')`;

/** A table, with what is known of its size before it is read. */
export interface SavedTable extends TablePart {
  readonly estimatedBytes: number;
  readonly estimatedRows: number;
}

/** `public.sites` as SQL names it; only names that come from the catalogue, or were compared with it. */
export const quoted = (table: string): string => {
  const [schema = "", name = ""] = table.split(".");
  return schema === "public"
    ? pg.escapeIdentifier(name)
    : `${pg.escapeIdentifier(schema)}.${pg.escapeIdentifier(name)}`;
};

const columnList = (columns: readonly string[]): string => columns.map((name) => pg.escapeIdentifier(name)).join(", ");

export const copyOutOf = ({ table, columns }: TablePart): string =>
  `copy ${quoted(table)} (${columnList(columns)}) to stdout`;

export const copyInto = ({ table, columns }: TablePart): string =>
  `copy ${quoted(table)} (${columnList(columns)}) from stdin`;

interface TableRow {
  readonly table: string;
  readonly columns: readonly string[];
  readonly bytes: number;
  readonly rows: number;
}

/** Every table of the service that has rows of its own, in order of name: what is not listed here is not in a backup. */
export const savedTables = async (db: Queryable): Promise<readonly SavedTable[]> => {
  const { rows } = await db.query<TableRow>(
    `select case when nspname = current_schema() then 'public' else nspname end || '.' || relname as table,
       (select array_agg(attname::text order by attnum) from pg_attribute
        where attrelid = pg_class.oid and attnum > 0 and not attisdropped and attgenerated = '') as columns,
       pg_table_size(pg_class.oid)::float8 as bytes, greatest(reltuples, 0)::float8 as rows
     from pg_class join pg_namespace on pg_namespace.oid = relnamespace
     where relkind = 'r' and (nspname = current_schema() or nspname = any (${SCHEMAS}))
       and not ${isOfExtension("pg_class.oid")}
     order by 1`,
  );
  return rows.map(({ table, columns, bytes, rows: count }) => ({
    table,
    columns,
    estimatedBytes: bytes,
    estimatedRows: count,
  }));
};

/** Read after the tables: a number is then never given out twice. */
export const savedSequences = async (db: Queryable): Promise<readonly Sequence[]> => {
  const { rows } = await db.query<{ name: string; last: string; called: boolean }>(
    `select case when schemaname = current_schema() then 'public' else schemaname end || '.' || sequencename as name,
       coalesce(last_value, start_value)::text as last, last_value is not null as called
     from pg_sequences where (schemaname = current_schema() or schemaname = any (${SCHEMAS}))
       and not ${isOfExtension("format('%I.%I', schemaname, sequencename)::regclass")} order by 1`,
  );
  return rows.map(({ name, last, called }) => ({ name, last, isCalled: called }));
};

/** Tables that are only added to, with what orders them: the audit log, and evidence of what participants were sent. */
const added = [
  ["public.audit_log", "seq"],
  ["sandbox.audit_log", "seq"],
  ["public.dispatch_revisions", "at"],
  ["public.message_attempts", "at"],
  ["public.ven_push_attempts", "seq"],
  ["public.mail_handovers", "at"],
  ["public.phone_calls", "at"],
] as const;

/** The newest entries of the audit log and of evidence. */
export const newestEntries = async (db: Queryable): Promise<readonly NewestRow[]> => {
  const newest: NewestRow[] = [];
  for (const [table, column] of added) {
    const { rows } = await db.query<{ newest: string | null }>(
      `select max(${pg.escapeIdentifier(column)})::text as newest from ${quoted(table)}`,
    );
    newest.push({ table, newest: rows[0]?.newest ?? null });
  }
  return newest;
};

/** Made before the first migration. */
const FIRST = "public.schema_migrations";
/** A migration makes a table, or gives it another name. */
const MADE = /^(?:create table (?:if not exists )?(?:(sandbox)\.)?|alter table (?:(sandbox)\.)?\w+ rename to )(\w+)/gm;

/** Throws a `BackupFault` that names tables which no migration makes: a restore could not take them. */
export const refuseForeignTables = async (
  db: Queryable,
  tables: ReadonlyArray<Pick<TablePart, "table">>,
): Promise<void> => {
  const known = await readMigrations();
  const { rows } = await db.query<{ newer: boolean }>(
    "select coalesce(max(version), 0) > $1 as newer from schema_migrations",
    [known.length],
  );
  // A newer version may have made tables that this one does not know.
  if (rows[0]?.newer === true) return;
  const made = known.flatMap(({ sql }) =>
    [...sql.matchAll(MADE)].map(([, made, renamed, name]) => `${made ?? renamed ?? "public"}.${name}`),
  );
  const own = new Set([FIRST, ...made]);
  const foreign = tables.flatMap(({ table }) => (own.has(table) ? [] : [table]));
  if (foreign.length > 0)
    throw new BackupFault(
      "foreign_table",
      `The database has tables that Curtail did not make: ${foreign.join(", ")}. Move them to another schema ` +
        "(alter table … set schema …), and save them apart.",
    );
};
