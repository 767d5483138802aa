import { type Camel, camelOf } from "./camel.js";

/** The columns of every table; the generated `tables.ts` adds them. */
// biome-ignore lint/suspicious/noEmptyInterface: filled where the tables are known
export interface Tables {}

/** Some columns of a table. */
export type Row<Table extends keyof Tables, Column extends keyof Tables[Table]> = Pick<Tables[Table], Column>;

/** The columns of a table that a store reads, by name. */
export interface Selection<R> {
  /**
   * For SQL. A prepared statement that selects `*` fails for the rest of its connection once a migration adds a column,
   * and processes of the previous version keep running on the new schema.
   */
  readonly columns: string;
  /**
   * Renames these columns and drops all others, so that joined, secret or new ones never reach the domain or the audit
   * log.
   */
  readonly camel: (row: R) => Camel<R>;
}

export type RowOf<S> = S extends Selection<infer R> ? R : never;

export const selection = <Table extends keyof Tables, const Column extends keyof Tables[Table] & string>(
  table: Table,
  columns: readonly Column[],
): Selection<Row<Table, Column>> => ({
  columns: columns.map((name) => `${table}.${name}`).join(", "),
  camel: camelOf(columns),
});
