import type pg from "pg";
import { Slots } from "../slots.js";
import type { Queryable } from "./database.js";
import { groupsByShard, isDistributed, type OfSite, type ShardGroup } from "./shards.js";

/** Stored by site, on a distributed database in shards. Statements that name one are made here, so that each has the form of its kind. */
export const SHARDED_TABLES = [
  "telemetry_hours",
  "telemetry_days",
  "charge_hours",
  "controllable_load",
  "telemetry_meters",
] as const;

/** A statement on sharded tables, as PostgreSQL runs it alone, and with workers. */
export interface ShardStatement {
  readonly name: string;
  readonly reach: "one shard" | "all shards";
  readonly plain: string;
  readonly distributed: string;
}

const made: ShardStatement[] = [];

/** Those of the modules that were loaded. */
export const shardStatements = (): readonly ShardStatement[] => made;

/** A statement is one of `shardStatements` from then on. */
export const added = <S extends ShardStatement>(statement: S): S => {
  made.push(statement);
  return statement;
};

/** What a statement for the sites of one shard has in addition on a distributed database, where the last parameter is its sites. */
export interface ShardParts {
  /** Limits a row to those sites, in each subquery that reads a sharded table: so a worker is sent the whole. */
  readonly within: (site: string) => string;
  /** Rows to store, limited to those sites, in the order of their first three columns; two are `site` and `meter`. */
  readonly sent: (rows: string) => string;
  /** Whether the database is not distributed: such a statement may join other tables, and have more parameters. */
  readonly isPlain: boolean;
}

export type OneShard = ShardStatement & { readonly reach: "one shard" };

const nothing: ShardParts = { within: () => "", sent: (rows) => rows, isPlain: true };

/** A statement that one worker runs as it stands. */
export const oneShard = (name: string, text: (parts: ShardParts) => string): OneShard => {
  const plain = text(nothing);
  const sites = `any($${highestParameter(text({ ...nothing, isPlain: false })) + 1}::int[])`;
  const distributed = text({
    isPlain: false,
    within: (site) => ` and ${site} = ${sites}`,
    // Rows that are joined with a table of the shard are inserted there; others, by the coordinator in two phases. A join has
    // no order of its own, and uploads that lock rows in another one deadlock.
    sent: (rows) => `telemetry_meters join ${rows} using (site, meter) where site = ${sites} order by 1, 2, 3`,
  });
  return added({ name, reach: "one shard", plain, distributed });
};

const highestParameter = (text: string): number =>
  Math.max(0, ...[...text.matchAll(/\$(\d+)/g)].map(([, number]) => Number(number)));

/** Runs a statement for the items of one shard. */
export const queryShard = <R extends pg.QueryResultRow>(
  db: Queryable,
  { name, plain, distributed }: OneShard,
  sites: ShardGroup<unknown>["sites"],
  values: readonly unknown[],
): Promise<pg.QueryResult<R>> =>
  sites === null
    ? db.query<R>({ name, text: plain, values: [...values] })
    : db.query<R>({ name, text: distributed, values: [...values, sites] });

const SHARDS_AT_ONCE = 4;

/** Runs `ask` for the items of each shard, some shards at once. */
export const eachShard = async <T extends OfSite, A>(
  db: Queryable,
  items: readonly T[],
  ask: (group: ShardGroup<T>) => Promise<A>,
): Promise<A[]> => {
  const groups = await groupsByShard(db, items);
  const slots = new Slots(SHARDS_AT_ONCE);
  return Promise.all(groups.map((group) => slots.run(() => ask(group))));
};

/** The rows that a statement returns for the items of all shards. */
export const rowsOfShards = async <R extends pg.QueryResultRow, T extends OfSite = OfSite>(
  db: Queryable,
  statement: OneShard,
  items: readonly T[],
  values: (items: readonly T[]) => readonly unknown[],
): Promise<R[]> => {
  const answers = await eachShard(db, items, (group) => queryShard<R>(db, statement, group.sites, values(group.items)));
  const [first, ...others] = answers.map(({ rows }) => rows);
  return others.length === 0 ? (first ?? []) : (first ?? []).concat(...others);
};

export type AllShards = ShardStatement & { readonly reach: "all shards" };

/**
 * A statement that several workers run. On a distributed database, queries on sharded tables join no others, and are
 * `materialized`: what joins them with other tables is run after that.
 */
export const allShards = (name: string, text: (isDistributed: boolean) => string): AllShards =>
  added({ name, reach: "all shards", plain: text(false), distributed: text(true) });

/** Its text on this database. */
export const textOn = async (db: Queryable, { plain, distributed }: AllShards): Promise<string> =>
  (await isDistributed(db)) ? distributed : plain;
