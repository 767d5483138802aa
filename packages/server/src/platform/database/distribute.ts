import type pg from "pg";
import { markBreaking } from "./migrate.js";
import { SHARDED_TABLES } from "./shard-statement.js";

/**
 * The table of the coordinator that is written with rows of a shard, with its identity column. Citus has to know it: a shard and
 * a table that it does not know are committed one after the other. It is the only one: a statement of several parts on such a
 * table, as the audit log has, connects to all workers, and fails while one is away.
 */
const LOCAL_TABLE = { table: "telemetry_archives", identity: "seq" } as const;

/** What a run did, or found done. */
export interface Distribution {
  /** Tables that it distributed, or made known to Citus. */
  readonly tables: readonly string[];
  readonly shards: number;
  readonly workers: number;
}

/** The first migration of a version whose statements keep to the sites of one shard: those before it may not start any more. */
const FIRST_TO_RUN = 157;

/** Somebody else's session may hold a table. */
const LOCK_WAIT = "10s";

/**
 * Distributes what is not distributed yet, in one transaction: whatever is killed meanwhile, all of it is done or nothing.
 * @param shards of each table; null: as many as there are, or eight for each worker
 */
export const distribute = async (client: pg.Client, shards: number | null): Promise<Distribution> => {
  await client.query(`begin; set local lock_timeout = '${LOCK_WAIT}'`);
  const workers = await countOf(client, WORKERS);
  const tables = [
    ...(await distributeTables(client, shards ?? SHARDS_PER_WORKER * workers)),
    ...(await addLocal(client)),
  ];
  const count = await countOf(client, SHARDS);
  await client.query("commit");
  return { tables, shards: count, workers };
};

/** As many as two to four for each core of a worker with two to four cores, and enough to spread over more workers. */
const SHARDS_PER_WORKER = 8;

const WORKERS =
  "select count(*)::int as count from pg_dist_node where isactive and shouldhaveshards and noderole = 'primary'";
const SHARDS = "select count(*)::int as count from pg_dist_shard where logicalrelid = 'telemetry_hours'::regclass";

const countOf = async (client: pg.Client, query: string): Promise<number> => {
  const { rows } = await client.query<{ count: number }>(query);
  return rows[0]?.count ?? 0;
};

/** Those that Citus does not know yet, in the order of the list. */
const unknownOf = async <T extends string>(client: pg.Client, tables: readonly T[]): Promise<readonly T[]> => {
  const { rows } = await client.query<{ table: T }>(
    `select name as table from unnest($1::text[]) with ordinality as asked (name, place)
     where not exists (select from pg_dist_partition where logicalrelid = name::regclass) order by place`,
    [tables],
  );
  return rows.map(({ table }) => table);
};

const distributeTables = async (client: pg.Client, shards: number): Promise<readonly string[]> => {
  const tables = await unknownOf(client, SHARDED_TABLES);
  if (tables.length === 0) return [];
  await markBreaking(client, FIRST_TO_RUN);
  for (const table of tables) {
    if (table === SHARDED_TABLES[0])
      await client.query("select create_distributed_table($1, 'site', shard_count => $2, colocate_with => 'none')", [
        table,
        shards,
      ]);
    else
      await client.query("select create_distributed_table($1, 'site', colocate_with => $2)", [
        table,
        SHARDED_TABLES[0],
      ]);
    // The rows that were copied to shards.
    await client.query("select truncate_local_data_after_distributing_table($1)", [table]);
  }
  return tables;
};

/** Citus begins its identity column again at 1. */
const addLocal = async (client: pg.Client): Promise<readonly string[]> => {
  const { table, identity } = LOCAL_TABLE;
  const unknown = await unknownOf(client, [table]);
  if (unknown.length === 0) return [];
  const { rows } = await client.query<{ last: string | null }>(
    "select last_value::text as last from pg_sequences where format('%I.%I', schemaname, sequencename) = pg_get_serial_sequence($1, $2)",
    [table, identity],
  );
  await client.query("select citus_add_local_table_to_metadata($1)", [table]);
  const last = rows[0]?.last ?? null;
  if (last !== null)
    await client.query("select setval(pg_get_serial_sequence($1, $2), $3::bigint)", [table, identity, last]);
  return unknown;
};
