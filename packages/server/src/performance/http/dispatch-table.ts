import type { downloadDispatchTable } from "@curtail/contract";
import type { FastifyInstance } from "fastify";
import { eachOf, type FileCallers, sentTable } from "../../access/http/sent-table.js";
import type { TableColumns } from "../../platform/files/table-file.js";
import { type Call, NotYet, serveFile } from "../../platform/http/endpoint.js";
import { isRefusal } from "../../platform/refusal.js";
import { rounded } from "../../platform/rounded.js";
import type { Visible } from "../../portfolio/operations/visible-sites.js";
import { type DispatchTable, type DispatchTableRow, refuseTable, rowsOfTable } from "../operations/dispatch-table.js";
import type { LookResult } from "../operations/live/preparing.js";
import { shown } from "./serve-look.js";

type Worded = "id" | "summary" | "description";
type Downloading = Omit<typeof downloadDispatchTable, Worded> & Readonly<Record<Worded, string>>;

/** How one of the two interfaces serves the table. */
interface TableCallers extends FileCallers {
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

const dispatched = { dispatch_id: "word", version: "integer?", site_id: "word", site_name: "name" } as const;
const measured = {
  timestamp: "time",
  local_time: "word",
  seconds: "number",
  load_kw: "number?",
  baseline_kw: "number?",
  target_kw: "number?",
  reduction_kw: "number?",
  reduction_kwh: "number?",
  coverage: "number",
  quality: "word",
  intervals_missing: "integer",
  intervals_late: "integer",
  intervals_corrected: "integer",
} as const;

/** Columns of a dispatch's table, and those that operators get. */
export const TABLE_COLUMNS = { ...dispatched, ...measured } satisfies TableColumns;
export const OPERATOR_TABLE_COLUMNS = {
  ...dispatched,
  account_id: "word",
  ...measured,
} as const satisfies TableColumns;

/** A row with the columns of both. */
const tableRowToWire = ({ dispatch, version }: Visible<DispatchTable>, row: DispatchTableRow) => ({
  dispatch_id: dispatch.id,
  version,
  site_id: row.site.siteId,
  site_name: row.site.name,
  account_id: row.site.accountId,
  timestamp: row.endMs,
  local_time: row.localTime,
  seconds: row.seconds,
  load_kw: rounded(row.loadKw),
  baseline_kw: rounded(row.baselineKw),
  target_kw: rounded(row.targetKw),
  reduction_kw: rounded(row.reductionKw),
  reduction_kwh: rounded(row.reductionKwh),
  coverage: rounded(row.coverage),
  quality: row.quality,
  intervals_missing: row.missing,
  intervals_late: row.late,
  intervals_corrected: row.corrected,
});
