import { formatTimestamp } from "../timestamp.js";
import { csvText } from "./csv-text.js";
import {
  integerColumn,
  numberColumn,
  type ParquetColumn,
  ParquetFile,
  textColumn,
  timeColumn,
} from "./parquet-file.js";

/** What a column holds; `?`: or null. `word`: text of ours, as ids are. `time`: Unix milliseconds. */
type ColumnKind =
  | "integer"
  | "integer?"
  | "name"
  | "name?"
  | "number"
  | "number?"
  | "time"
  | "time?"
  | "word"
  | "word?";

/** The columns of a table, in order. */
export type TableColumns = Readonly<Record<string, ColumnKind>>;

type ValueOf<K extends ColumnKind> = K extends `${infer Rest extends ColumnKind}?`
  ? ValueOf<Rest> | null
  : K extends "name" | "word"
    ? string
    : number;

/** A row with a value for every column. */
export type TableRowOf<C extends TableColumns> = { readonly [Name in keyof C]: ValueOf<C[Name]> };

type Value = string | number | null;

/** The rows as CSV, some at a time; null is empty. */
export async function* csvOf<C extends TableColumns>(
  columns: C,
  rows: AsyncIterable<TableRowOf<C>>,
): AsyncGenerator<string> {
  const kinds = Object.entries(columns);
  yield `${kinds.map(([name]) => name).join(",")}\r\n`;
  for await (const some of batches(rows, ROWS_OF_PIECE)) {
    yield some
      .map((row) => `${kinds.map(([name, kind]) => csvValue(kind, row[name] as Value)).join(",")}\r\n`)
      .join("");
  }
}

/** The same as Parquet, one row group at a time: only one is ever in memory. */
export async function* parquetOf<C extends TableColumns>(
  columns: C,
  rows: AsyncIterable<TableRowOf<C>>,
): AsyncGenerator<Uint8Array> {
  const kinds = Object.entries(columns);
  const file = new ParquetFile(Object.fromEntries(kinds.map(([name, kind]) => [name, parquetColumn(kind)])));
  const groupOf = (some: readonly TableRowOf<C>[]) =>
    Object.fromEntries(kinds.map(([name, kind]) => [name, some.map((row) => parquetValue(kind, row[name] as Value))]));
  let groups = 0;
  for await (const some of batches(rows, ROWS_OF_GROUP)) {
    yield await file.takeGroup(groupOf(some));
    groups += 1;
  }
  // A file without a row group has no columns for some readers.
  if (groups === 0) yield await file.takeGroup(groupOf([]));
  yield await file.takeEnd();
}

const ROWS_OF_PIECE = 1000;
/** Packed and sent at once, in some 60 ms with 18 columns; larger groups would hold up others for longer. */
const ROWS_OF_GROUP = 5000;

async function* batches<Row>(rows: AsyncIterable<Row>, size: number): AsyncGenerator<readonly Row[]> {
  let some: Row[] = [];
  for await (const row of rows) {
    some.push(row);
    if (some.length < size) continue;
    yield some;
    some = [];
  }
  if (some.length > 0) yield some;
}

const csvValue = (kind: ColumnKind, value: Value): string => {
  if (value === null) return "";
  if (kind === "name" || kind === "name?") return csvText(String(value));
  return isTime(kind) ? formatTimestamp(Number(value)) : String(value);
};

const parquetValue = (kind: ColumnKind, value: Value): Value | bigint =>
  isTime(kind) && value !== null ? BigInt(Math.round(Number(value))) : value;

const isTime = (kind: ColumnKind): boolean => kind === "time" || kind === "time?";

const parquetColumns = {
  integer: integerColumn,
  name: textColumn,
  number: numberColumn,
  time: timeColumn,
  word: textColumn,
} as const;

const parquetColumn = (kind: ColumnKind): ParquetColumn => {
  const column: ParquetColumn = parquetColumns[kind.replace("?", "") as keyof typeof parquetColumns];
  return kind.endsWith("?") ? { ...column, repetition_type: "OPTIONAL" } : column;
};
