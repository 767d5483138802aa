import type { FastifyReply, FastifyRequest } from "fastify";
import { csvOf, parquetOf, type TableColumns, type TableRowOf } from "../../platform/files/table-file.js";
import type { AnswerBudget } from "../../platform/http/answer-budget.js";
import type { SentFile } from "../../platform/http/endpoint.js";
import { sentPieces, whileAllowed } from "../../platform/http/file-pieces.js";
import { roomFor } from "../../platform/http/large-answer.js";
import type { Result } from "../../platform/refusal.js";
/** Formats of a table in a file. */
export type TableFormat = "csv" | "parquet";

/** The callers of one of the two interfaces, and the memory for large answers. */
export interface FileCallers {
  /** Whose share of that memory a file uses. */
  readonly reader: (request: FastifyRequest) => string;
  /** Whether the caller of a long response may continue. */
  readonly mayContinue: (request: FastifyRequest) => Promise<boolean>;
  readonly budget: AnswerBudget;
}

/** A table in a file, sent while it is made. */
export interface TableFile<C extends TableColumns> {
  /** Without its ending; ASCII, because it goes into a header. */
  readonly name: string;
  readonly format: TableFormat;
  readonly columns: C;
  readonly rows: AsyncIterable<TableRowOf<C>>;
}

export const sentTable = async <C extends TableColumns>(
  { reader, mayContinue, budget }: FileCallers,
  { request, reply }: { readonly request: FastifyRequest; readonly reply: FastifyReply },
  { name, format, columns, rows }: TableFile<C>,
): Promise<Result<SentFile>> => {
  const refusal = await roomFor(budget, reader(request), reply);
  if (refusal !== null) return refusal;
  const allowed = whileAllowed<string | Uint8Array>(pieces[format](columns, rows), () => mayContinue(request));
  return { type: types[format], name: `${name}.${format}`, body: sentPieces(allowed) };
};

const pieces = { csv: csvOf, parquet: parquetOf } as const;
const types = { csv: "text/csv; charset=utf-8", parquet: "application/vnd.apache.parquet" } as const;

export async function* eachOf<T, Row>(items: AsyncIterable<T> | Iterable<T>, toRow: (item: T) => Row) {
  for await (const item of items) yield toRow(item);
}

/** The rows of items that come several at once. */
export async function* eachOfAll<T, Row>(all: AsyncIterable<readonly T[]>, toRow: (item: T) => Row) {
  for await (const items of all) for (const item of items) yield toRow(item);
}
