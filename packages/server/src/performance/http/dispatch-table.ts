import type { downloadDispatchTable } from "@curtail/contract";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { csvOf, parquetOf, type TableColumns } from "../../platform/files/table-file.js";
import type { AnswerBudget } from "../../platform/http/answer-budget.js";
import { type Call, NotYet, type SentFile, serveFile } from "../../platform/http/endpoint.js";
import { sentPieces, whileAllowed } from "../../platform/http/file-pieces.js";
import { roomFor } from "../../platform/http/large-answer.js";
import { isRefusal, type Result } from "../../platform/refusal.js";
import type { Visible } from "../../portfolio/operations/visible-sites.js";
import { type DispatchTable, intervalsOf, refuseTable, rowsOfTable } from "../operations/dispatch-table.js";
import type { LookResult } from "../operations/preparing.js";
import { shown } from "./serve-look.js";
import { type TABLE_COLUMNS, tableRowToWire } from "./wire-dispatch-table.js";

type Worded = "id" | "summary" | "description";
type Downloading = Omit<typeof downloadDispatchTable, Worded> & Readonly<Record<Worded, string>>;

/** How one of the two interfaces serves the table. */
export interface TableCallers {
  readonly find: (call: Call<Downloading>) => Promise<LookResult<Visible<DispatchTable>>>;
  readonly columns: typeof TABLE_COLUMNS & TableColumns;
  /** Whose share of the memory for large answers a file uses. */
  readonly reader: (request: FastifyRequest) => string;
  /** Whether the caller of a long response may continue. */
  readonly mayContinue: (request: FastifyRequest) => Promise<boolean>;
  readonly budget: AnswerBudget;
}

const DEFAULT_SECONDS = 300;

/** Serves the table of a dispatch as a file. */
export const serveTable = (app: FastifyInstance, endpoint: Downloading, callers: TableCallers): void =>
  serveFile(app, endpoint, async (call) => {
    const table = shown(await callers.find(call), (found) => found);
    return isRefusal(table) || table instanceof NotYet ? table : fileOf(table, call, callers);
  });

const fileOf = async (
  table: Visible<DispatchTable>,
  { query, request, reply }: Call<Downloading>,
  { columns, reader, mayContinue, budget }: TableCallers,
): Promise<Result<SentFile>> => {
  const { format = "csv", interval_seconds: seconds = DEFAULT_SECONDS } = query;
  const intervals = intervalsOf(table, seconds);
  const refusal = refuseTable(table, intervals, format) ?? (await roomFor(budget, reader(request), reply));
  if (refusal !== null) return refusal;
  const rows = wireRows(table, intervals);
  const pieces = format === "csv" ? csvOf(columns, rows) : parquetOf(columns, rows);
  return {
    type: types[format],
    name: `${table.dispatch.id}-${table.version === null ? "live" : `v${table.version}`}-${seconds}s.${format}`,
    body: sentPieces(whileAllowed<string | Uint8Array>(pieces, () => mayContinue(request))),
  };
};

const types = { csv: "text/csv; charset=utf-8", parquet: "application/vnd.apache.parquet" } as const;

async function* wireRows(table: Visible<DispatchTable>, intervals: ReturnType<typeof intervalsOf>) {
  for await (const row of rowsOfTable(table, intervals)) yield tableRowToWire(table, row);
}
