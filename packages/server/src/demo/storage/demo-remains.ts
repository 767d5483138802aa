import type pg from "pg";
import { appended } from "../../platform/database/commits.js";
import { inTransaction, type Queryable } from "../../platform/database/database.js";
import {
  type AllShards,
  allShards,
  type OneShard,
  oneShard,
  SHARDED_TABLES,
  textOn,
} from "../../platform/database/shard-statement.js";
import type { ArchivedFiles } from "../../platform/files/archive-folder.js";
import { commitInTwoPhases } from "../../telemetry/storage/two-phases.js";
import { DEMO_ID } from "../domain/demo.js";
import type { DemoRemains } from "../operations/remove-demo.js";
import { type OwnedRows, ownedRows } from "./owned-rows.js";

/** Rows deleted at once: some milliseconds. */
const BATCH = 2000;
const FILES = 50;

/** What a demo leaves in the database and in the folder of archived telemetry. */
export const demoRemains = (pool: pg.Pool, archive: ArchivedFiles): DemoRemains => ({
  // The files come after everything else: their rows say which there are.
  parts: ownedRows.length + 1,
  async deleteSome(at) {
    const part = ownedRows[at];
    if (part === undefined) return removeFiles(pool, archive);
    const ofSites = shardParts.get(part.table);
    return ofSites === undefined ? (await deleteBatch(pool, part)) < BATCH : deleteSite(pool, ofSites);
  },
  async deleteRest() {
    await inTransaction(pool, async (client) => {
      await client.query("select from demo for update");
      await commitInTwoPhases(client);
      for (const { table, where = "true" } of ownedRows) await client.query(`delete from ${table} where ${where}`);
      await client.query(GONE);
      appended(client, "demo.remove");
      const { rowCount } = await client.query("delete from demo where not exists (select from telemetry_archives)");
      if (rowCount !== 1) throw new Error("telemetry of the demo was archived meanwhile; removing it again");
    });
  },
});

interface ShardPart {
  readonly next: AllShards;
  readonly rows: OneShard;
}

/** Rows that may be in shards, by table: those of a site are deleted at once. */
const shardParts: ReadonlyMap<string, ShardPart> = new Map(
  SHARDED_TABLES.map((table) => [
    table,
    {
      next: allShards(`site-in-${table}`, () => `select site from ${table} limit 1`),
      rows: oneShard(`delete-site-in-${table}`, () => `delete from ${table} as stored where stored.site = $1`),
    },
  ]),
);

/** Returns whether none is left. The journal is another transaction: after a kill in between, later parts append to it. */
const deleteSite = async (db: Queryable, { next, rows: { name, plain: text } }: ShardPart): Promise<boolean> => {
  const { rows } = await db.query<{ site: number }>(await textOn(db, next));
  const [found] = rows;
  if (found === undefined) return true;
  await db.query({ name, text, values: [found.site] });
  await db.query(GONE);
  appended(db, "demo.remove");
  return false;
};

const deleteBatch = async (db: Queryable, { table, where = "true" }: OwnedRows): Promise<number> => {
  // Whoever remembers what is deleted forgets it with the commit.
  const { rows } = await db.query<{ count: number }>(
    `with gone as (
       delete from ${table} where ctid = any(array(select ctid from ${table} where ${where} limit $1)) returning 1
     ), noted as (${GONE} where exists (select from gone))
     select count(*) as count from gone`,
    [BATCH],
  );
  const [{ count } = { count: 0 }] = rows;
  if (count > 0) appended(db, "demo.remove");
  return count;
};

const GONE = `insert into journal (at, kind, subject) select now(), 'demo.remove', '${DEMO_ID}'`;

/** A file before its row: after a kill in between, removing it again does nothing. */
const removeFiles = async (db: Queryable, archive: ArchivedFiles): Promise<boolean> => {
  const { rows } = await db.query<{ seq: number; file: string }>(
    "select seq, file from telemetry_archives order by seq limit $1",
    [FILES],
  );
  for (const { file } of rows) await archive.remove(file);
  await db.query("delete from telemetry_archives where seq = any($1)", [rows.map(({ seq }) => seq)]);
  return rows.length < FILES;
};
