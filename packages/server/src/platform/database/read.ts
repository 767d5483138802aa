import type pg from "pg";
import type { Page, PageRequest } from "../page.js";
import type { Queryable } from "./database.js";
import { type Placed, pageOf, pageParameters } from "./page.js";

/** SQL; with a name if it is prepared. */
type Statement = string | pg.QueryConfig<unknown[]>;

type FromRow<Row, T> = (row: Row) => T;

/** What `fromRow` makes of each row that a statement returns. */
export const readAll = async <Row extends pg.QueryResultRow, T>(
  db: Queryable,
  fromRow: FromRow<Row, T>,
  statement: Statement,
  values?: unknown[],
): Promise<T[]> => {
  const { rows } = await db.query<Row>(statement, values);
  return rows.map((row) => fromRow(row));
};

/** The same as entries of a map. */
export const readMap = async <Row extends pg.QueryResultRow, K, V>(
  db: Queryable,
  fromRow: FromRow<Row, readonly [K, V]>,
  statement: Statement,
  values?: unknown[],
): Promise<Map<K, V>> => new Map(await readAll(db, fromRow, statement, values));

/** What `fromRow` makes of the first row; null if there is none. */
export const readFirst = async <Row extends pg.QueryResultRow, T>(
  db: Queryable,
  fromRow: FromRow<Row, T | Promise<T>>,
  statement: Statement,
  values?: unknown[],
): Promise<T | null> => {
  const { rows } = await db.query<Row>(statement, values);
  return rows[0] === undefined ? null : fromRow(rows[0]);
};

/** The number in a column of the first row; 0 if there is none. */
export const readNumber = async (
  db: Queryable,
  column: string,
  statement: Statement,
  values?: unknown[],
): Promise<number> => {
  const { rows } = await db.query<Record<string, number>>(statement, values);
  return rows[0]?.[column] ?? 0;
};

/** How many rows a statement finds, adds, changes or deletes. */
export const countRows = async (db: Queryable, statement: Statement, values?: unknown[]): Promise<number> => {
  const { rowCount } = await db.query(statement, values);
  return rowCount ?? 0;
};

/** Whether it is one. */
export const matchesOne = async (db: Queryable, statement: Statement, values?: unknown[]): Promise<boolean> =>
  (await countRows(db, statement, values)) === 1;

/** A page of what `fromRow` makes of the rows; `$1` is the `seq` that it starts after, `$2` how many rows are read. */
export const readPage = async <Row extends pg.QueryResultRow, T>(
  db: Queryable,
  page: PageRequest,
  fromRow: FromRow<Row, T>,
  { text, values = [] }: { readonly text: string; readonly values?: readonly unknown[] },
): Promise<Page<T>> => {
  const { rows } = await db.query<Placed<Row>>(text, [...pageParameters(page), ...values]);
  return pageOf(rows, page, fromRow);
};
