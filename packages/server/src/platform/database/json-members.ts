import type { Tables } from "./columns.js";

type Column<Table extends keyof Tables> = keyof Tables[Table] & string;
type Columns<Table extends keyof Tables> = Readonly<Record<string, Column<Table>>>;

/** Columns of a table as members of a JSON object, for rows inside another's. */
export interface JsonMembers<Table extends keyof Tables, Named extends Columns<Table>> {
  readonly table: Table;
  readonly columns: Named;
  /** As `json_build_object` takes them. */
  readonly sql: string;
}

/** A value of a column as JSON has it; bytes have no business there. */
type InJson<Value> = Value extends Date ? string : Value extends Buffer ? never : Value;

/** A row as JSON has it. */
export type JsonRow<Row> = { readonly [Name in keyof Row]: InJson<Row[Name]> };

/** The object that such members make. */
export type JsonOf<M> =
  M extends JsonMembers<infer Table, infer Named>
    ? JsonRow<{ readonly [Name in keyof Named]: Tables[Table][Named[Name] & keyof Tables[Table]] }>
    : never;

export const jsonMembers = <Table extends keyof Tables, const Named extends Columns<Table>>(
  table: Table,
  columns: Named,
): JsonMembers<Table, Named> => ({
  table,
  columns,
  sql: Object.entries(columns)
    .map(([name, column]) => `'${name}', ${table}.${column}`)
    .join(", "),
});

export const dateFromJson = (text: string | null): Date | null => (text === null ? null : new Date(text));
