import type { Queryable } from "./database.js";
import { added, type ShardStatement } from "./shard-statement.js";
import type { ShardGroup } from "./shards.js";
import { valuesOf } from "./values-of.js";

interface Insertion<T> {
  readonly into: string;
  /** The type of each column; members of the rows have the names of columns. */
  readonly columns: Readonly<Record<keyof T & string, string>>;
  /** What follows `on conflict`. */
  readonly onConflict: string;
}

export interface InsertedRows<T> {
  readonly members: ReadonlyArray<keyof T & string>;
  readonly statement: ShardStatement;
  readonly listing: (rows: number) => string;
}

/** An insertion of rows in one shard: as columns or, on a distributed database, as a list, of which Citus sends each row to its shard. */
export const insertedRows = <T>(name: string, { into, columns, onConflict }: Insertion<T>): InsertedRows<T> => {
  const members = Object.keys(columns) as Array<keyof T & string>;
  const names = members.join(", ");
  const types = members.map((member) => columns[member]);
  const listing = (rows: number): string =>
    `insert into ${into} (${names}) values ${Array.from({ length: rows }, (_, row) => listed(types, row)).join(", ")} on conflict ${onConflict}`;
  const sent = types.map((type, index) => `$${index + 1}::${type}[]`).join(", ");
  const plain = `insert into ${into} (${names}) select * from unnest(${sent}) on conflict ${onConflict}`;
  return { members, listing, statement: added({ name, reach: "one shard", plain, distributed: listing(2) }) };
};

/** `($6::int, $7::bytea)`. */
const listed = (types: readonly string[], row: number): string =>
  `(${types.map((type, index) => `$${row * types.length + index + 1}::${type}`).join(", ")})`;

// A statement has 65,535 parameters at most.
const LISTED_AT_ONCE = 1000;

/** Inserts rows in their order; more than a thousand on a distributed database need a transaction to be one. */
export const insertRows = async <T>(
  db: Queryable,
  { members, statement, listing }: InsertedRows<T>,
  { sites, items }: Pick<ShardGroup<T>, "sites" | "items">,
): Promise<void> => {
  if (sites === null) {
    const { name, plain: text } = statement;
    await db.query({ name, text, values: valuesOf(items, ...members) });
    return;
  }
  for (let from = 0; from < items.length; from += LISTED_AT_ONCE) {
    const rows = items.slice(from, from + LISTED_AT_ONCE);
    await db.query(
      listing(rows.length),
      rows.flatMap((row) => members.map((member) => row[member])),
    );
  }
};
