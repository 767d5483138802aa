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

/** Columns of a table under the names that the code has for them. */
export interface NamedColumns<R, Named> {
  /** For SQL. */
  readonly columns: string;
  /** Renames these columns and drops all others. */
  readonly named: (row: R) => Named;
}

export type RowOfNamed<N> = N extends NamedColumns<infer R, unknown> ? R : never;

export const namedColumns = <
  Table extends keyof Tables,
  const Columns extends Readonly<Record<string, keyof Tables[Table] & string>>,
>(
  table: Table,
  columns: Columns,
): NamedColumns<
  Row<Table, Columns[keyof Columns]>,
  { readonly [Name in keyof Columns]: Tables[Table][Columns[Name]] }
> => {
  const pairs = Object.entries(columns) as Array<[keyof Columns & string, Columns[keyof Columns]]>;
  return {
    columns: pairs.map(([, column]) => `${table}.${column}`).join(", "),
    named(row) {
      const named: Partial<Record<keyof Columns, unknown>> = {};
      for (const [name, column] of pairs) named[name] = row[column];
      return named as { readonly [Name in keyof Columns]: Tables[Table][Columns[Name]] };
    },
  };
};
