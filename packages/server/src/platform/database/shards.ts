import type pg from "pg";
import { grouped } from "../grouped.js";
import { memoryOfPool } from "./memory-of-pool.js";

type Queryable = Pick<pg.Pool, "query">;

/** Where the rows of a site are stored. */
export interface Shard {
  readonly id: number;
  /** Of the worker that has it; a shard may move to another. */
  readonly node: number;
}

/** What belongs to a site, by the site's number. */
export interface OfSite {
  readonly site: number;
}

/** What is in one shard. */
export interface ShardGroup<T> {
  readonly shard: Shard;
  /** Of the items, each once; null: the database is not distributed, and there is one group. */
  readonly sites: readonly number[] | null;
  readonly items: readonly T[];
}

/** What a process knows of a database. */
interface Memory {
  isDistributed?: Promise<boolean>;
  readonly shards: Map<number, Shard>;
}

const UNDIVIDED: Shard = { id: 0, node: 0 };

// Some tens of bytes each; beyond this, the memory is emptied.
const MAX_KNOWN = 500_000;

/** A plan compares each row that it looks for with all sites of its statement. */
const SITES_AT_ONCE = 200;

const memoryOf = memoryOfPool((): Memory => ({ shards: new Map() }));

/** Whether telemetry is distributed over workers; a running process does not see it change. */
export const isDistributed = (db: Queryable): Promise<boolean> => {
  const memory = memoryOf(db);
  memory.isDistributed ??= learn(db).catch((error: unknown) => {
    delete memory.isDistributed;
    throw error;
  });
  return memory.isDistributed;
};

/** PostgreSQL without Citus has no such catalogue. */
const learn = async (db: Queryable): Promise<boolean> => {
  const { rows } = await db.query<{ has: boolean }>("select to_regclass('pg_dist_partition') is not null as has");
  if (rows[0]?.has !== true) return false;
  const { rowCount } = await db.query(
    "select from pg_dist_partition where logicalrelid = to_regclass('telemetry_hours') and partmethod = 'h'",
  );
  return rowCount === 1;
};

/**
 * The items by the shard of their site, those of a site in their order; of a database that is not distributed, all of them.
 *
 * @param most sites of a group: a shard with more has several groups
 */
export const groupsByShard = async <T extends OfSite>(
  db: Queryable,
  items: readonly T[],
  most: number = SITES_AT_ONCE,
): Promise<ReadonlyArray<ShardGroup<T>>> => {
  if (!(await isDistributed(db))) return [{ shard: UNDIVIDED, sites: null, items }];
  const shards = await shardsOf(db, [...new Set(items.map(({ site }) => site))]);
  return [...shardGroups(items, shards, most)];
};

export function* shardGroups<T extends OfSite>(
  items: readonly T[],
  shards: ReadonlyMap<number, Shard>,
  most: number,
): Generator<ShardGroup<T>> {
  const bySite = grouped(items, ({ site }) => site);
  const byShard = grouped(bySite.keys(), (site) => shards.get(site)?.id ?? 0);
  // In one order: transactions that write to several shards do not wait for each other in a circle.
  for (const [, ofShard] of [...byShard].toSorted(([a], [b]) => a - b)) {
    const shard = shards.get(ofShard[0]);
    if (shard === undefined) throw new Error(`no shard is known of site ${ofShard[0]}`);
    for (let from = 0; from < ofShard.length; from += most) {
      const sites = ofShard.slice(from, from + most);
      yield { shard, sites, items: sites.flatMap((site) => bySite.get(site) ?? []) };
    }
  }
}

/** The shard of each of the sites. */
const shardsOf = async (db: Queryable, sites: readonly number[]): Promise<ReadonlyMap<number, Shard>> => {
  const { shards } = memoryOf(db);
  const unknown = sites.filter((site) => !shards.has(site));
  if (unknown.length > 0) {
    if (shards.size > MAX_KNOWN) shards.clear();
    for (const { site, ...shard } of await find(db, unknown)) shards.set(site, shard);
  }
  return new Map(sites.flatMap((site) => [[site, shards.get(site) ?? UNDIVIDED]]));
};

/** Call after a failure: shards may have moved or been split. */
export const forgetShards = (db: Queryable): void => memoryOf(db).shards.clear();

const find = async (db: Queryable, sites: readonly number[]): Promise<ReadonlyArray<Shard & OfSite>> => {
  const { rows } = await db.query<Shard & OfSite>({
    name: "shards-of-sites",
    text: `select site, shard as id, (select groupid from pg_dist_placement where shardid = shard limit 1) as node
           from (select site, get_shard_id_for_distribution_column('telemetry_hours', site) as shard
                 from unnest($1::int[]) as site) as asked`,
    values: [sites],
  });
  return rows;
};
