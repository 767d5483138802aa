import type { downloadDispatchTable } from "@curtail/contract";
import type { FastifyInstance } from "fastify";
import { eachOf, type FileCallers, sentTable } from "../../access/http/sent-table.js";
import type { TableColumns } from "../../platform/files/table-file.js";
import { type Call, NotYet, serveFile } from "../../platform/http/endpoint.js";
import { isRefusal } from "../../platform/refusal.js";
import type { Visible } from "../../portfolio/operations/visible-sites.js";
import { type DispatchTable, refuseTable, rowsOfTable } from "../operations/dispatch-table.js";
import type { LookResult } from "../operations/preparing.js";
import { shown } from "./serve-look.js";
import { type TABLE_COLUMNS, tableRowToWire } from "./wire-dispatch-table.js";

type Worded = "id" | "summary" | "description";
type Downloading = Omit<typeof downloadDispatchTable, Worded> & Readonly<Record<Worded, string>>;

/** How one of the two interfaces serves the table. */
export interface TableCallers extends FileCallers {
  readonly find: (call: Call<Downloading>) => Promise<LookResult<Visible<DispatchTable>>>;
  readonly columns: typeof TABLE_COLUMNS & TableColumns;
}

const DEFAULT_SECONDS = 300;

/** Serves the table of a dispatch as a file. */
export const serveTable = (app: FastifyInstance, endpoint: Downloading, callers: TableCallers): void =>
  serveFile(app, endpoint, async (call) => {
    const table = shown(await callers.find(call), (found) => found);
    if (isRefusal(table) || table instanceof NotYet) return table;
    const { format = "csv", interval_seconds: seconds = DEFAULT_SECONDS } = call.query;
    const refusal = refuseTable(table, seconds, format);
    if (refusal !== null) return refusal;
    const version = table.version === null ? "live" : `v${table.version}`;
    return sentTable(callers, call, {
      name: `${table.dispatch.id}-${version}-${seconds}s`,
      format,
      columns: callers.columns,
      rows: eachOf(rowsOfTable(table, seconds), (row) => tableRowToWire(table, row)),
    });
  });
