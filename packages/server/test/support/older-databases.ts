import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { emptyDatabase, type TestDatabase } from "./database.js";
import { database } from "./migrating.js";

export const migrations = new URL("../../migrations/", import.meta.url);

/** A database left by a build that knew only the first `version` migrations. */
export const databaseAtVersion = async (version: number): Promise<TestDatabase> => {
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
