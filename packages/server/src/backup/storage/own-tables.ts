import { BackupFault } from "../../platform/backup-fault.js";
import type { Queryable } from "../../platform/database/database.js";
import { readMigrations } from "../../platform/database/migration.js";
import type { TablePart } from "../domain/content.js";

/** Made before the first migration. */
const FIRST = "public.schema_migrations";
const MADE = /^create table (?:if not exists )?(?:(sandbox)\.)?(\w+)/gm;

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
    [...sql.matchAll(MADE)].map(([, schema = "public", name]) => `${schema}.${name}`),
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
