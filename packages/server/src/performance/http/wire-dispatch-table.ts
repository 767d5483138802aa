import type { TableColumns } from "../../platform/files/table-file.js";
import { rounded } from "../../platform/rounded.js";
import type { Visible } from "../../portfolio/operations/visible-sites.js";
import type { DispatchTable, DispatchTableRow } from "../operations/dispatch-table.js";

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
export const tableRowToWire = ({ dispatch, version }: Visible<DispatchTable>, row: DispatchTableRow) => ({
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
