import type { operator, PerformanceReportRow, PerformanceReport as WireReport } from "@curtail/contract";
import { MAX_REPORT_ROWS } from "@curtail/contract/constants";
import type { TableColumns, TableRowOf } from "../../platform/files/table-file.js";
import { pageOfAll } from "../../platform/http/page.js";
import { isRefusal, type Result } from "../../platform/refusal.js";
import { rounded } from "../../platform/rounded.js";
import { paidElsewhere, type SharedIntervals, sharedIds } from "../domain/shared-energy.js";
import type { CalledSite } from "../operations/report/called-sites.js";
import type { RowAccuracy } from "../operations/report/report-accuracy.js";
import { placeOfRow } from "../operations/report/season-report.js";
import type { PerformanceReport, ReportRow } from "../operations/report/view-report.js";
import { deliveredToWire } from "./wire-performance.js";

/** Which rows of a report are sent. */
interface RowsQuery {
  readonly cursor?: string;
  readonly limit?: number;
}

interface RowsOfPage {
  readonly items: readonly ReportRow[];
  readonly next_cursor: string | null;
}

export const rowsOfPage = (
  { rows }: PerformanceReport,
  { limit = MAX_REPORT_ROWS, ...query }: RowsQuery,
): Result<RowsOfPage> => pageOfAll(rows, placeOfRow, { ...query, limit });

const pageOf = <Row>(
  { from, to, by, total }: PerformanceReport,
  { items, next_cursor }: RowsOfPage,
  toWire: (row: ReportRow) => Row,
) => ({ from, to, by, rows: items.map(toWire), total: toWire(total), next_cursor });

export const reportToWire = (report: PerformanceReport, query: RowsQuery): Result<WireReport> => {
  const page = rowsOfPage(report, query);
  return isRefusal(page) ? page : pageOf(report, page, reportRowToWire);
};

type Accuracies = ReadonlyMap<string, RowAccuracy>;

export const operatorReportToWire = (
  report: PerformanceReport,
  page: RowsOfPage,
  accuracies: Accuracies,
): operator.OperatorPerformanceReport => pageOf(report, page, (row) => operatorRowToWire(row, accuracies));

/** Columns of a report's file, and those that operators get. */
export const REPORT_COLUMNS = {
  site_id: "word?",
  site_name: "name?",
  account_id: "word?",
  account_name: "name?",
  program_id: "word?",
  program_name: "name?",
  dispatches: "integer",
  calls: "integer",
  measured: "integer",
  without_baseline: "integer",
  cancelled: "integer",
  voided: "integer",
  not_final: "integer",
  paid_elsewhere: "integer",
  call_hours: "number",
  paid_elsewhere_hours: "number",
  performance: "number?",
  lowest_performance: "number?",
  highest_performance: "number?",
  delivered_share: "number?",
  delivered_energy_kwh: "number?",
  delivered_energy_floored_kwh: "number?",
  delivered_energy_capped_kwh: "number?",
  committed_energy_kwh: "number?",
  coverage: "number?",
  judged: "integer",
  share_on_commitment: "number?",
  availability: "number?",
} as const satisfies TableColumns;

export const OPERATOR_REPORT_COLUMNS = {
  ...REPORT_COLUMNS,
  accuracy_days: "integer?",
  relative_rmse: "number?",
  relative_bias: "number?",
} as const satisfies TableColumns;

export const reportRowToWire = ({ subject, outcomes, ...row }: ReportRow): PerformanceReportRow => ({
  site_id: subject.siteId,
  site_name: subject.siteName,
  account_id: subject.accountId,
  account_name: row.accountName,
  program_id: subject.programId,
  program_name: subject.programName,
  dispatches: row.dispatches,
  calls: row.calls,
  ...outcomes,
  paid_elsewhere: row.paidElsewhere,
  call_hours: rounded(row.callHours),
  paid_elsewhere_hours: rounded(row.paidElsewhereHours),
  performance: rounded(row.performance),
  lowest_performance: rounded(row.lowest),
  highest_performance: rounded(row.highest),
  delivered_share: rounded(row.deliveredShare),
  delivered_energy_kwh: rounded(row.deliveredKwh),
  delivered_energy_floored_kwh: rounded(row.deliveredFlooredKwh),
  delivered_energy_capped_kwh: rounded(row.deliveredCappedKwh),
  committed_energy_kwh: rounded(row.committedKwh),
  coverage: rounded(row.coverage),
  judged: row.judged,
  share_on_commitment: rounded(row.shareOnCommitment),
  availability: rounded(row.availability),
});

export const operatorRowToWire = (row: ReportRow, accuracies: Accuracies): operator.OperatorPerformanceReportRow => {
  const accuracy = accuracies.get(row.subject.siteId ?? "");
  return {
    ...reportRowToWire(row),
    accuracy_days: accuracy?.days ?? null,
    relative_rmse: rounded(accuracy?.relativeRmse ?? null),
    relative_bias: rounded(accuracy?.relativeBias ?? null),
  };
};

/** Dispatches that claim the energy of a site in a dispatch, and those that are paid for it. */
export const sharedToRow = (shared: readonly SharedIntervals[]) => ({
  shared_with: sharedIds(shared, "all"),
  paid_in: sharedIds(shared, "paid"),
  intervals_paid_elsewhere: paidElsewhere(shared),
});

/** Columns of what a site delivered in a dispatch. */
export const DELIVERED_COLUMNS = {
  mean_reduction_kw: "number?",
  performance: "number?",
  delivered_energy_kwh: "number?",
  delivered_energy_floored_kwh: "number?",
  delivered_energy_capped_kwh: "number?",
  committed_energy_kwh: "number?",
} as const satisfies TableColumns;

/** Columns of the file with one row per dispatch and site. */
export const CALL_COLUMNS = {
  dispatch_id: "word",
  version: "integer?",
  version_reason: "word?",
  program_id: "word",
  program_name: "name",
  account_id: "word",
  site_id: "word",
  site_name: "name",
  local_date: "word",
  local_month: "word",
  start_time: "time",
  end_time: "time?",
  test: "word",
  outcome: "word",
  commitment_kw: "number?",
  ...DELIVERED_COLUMNS,
  intervals_expected: "integer?",
  intervals_received: "integer?",
  coverage: "number?",
  status: "word?",
  shared_with: "word?",
  paid_in: "word?",
  intervals_paid_elsewhere: "integer?",
} as const satisfies TableColumns;

export const callToRow = ({
  dispatch,
  standing,
  site,
  outcome,
  localDate,
  endMs,
  shared,
}: CalledSite): TableRowOf<typeof CALL_COLUMNS> => {
  const { result } = site;
  const toDate = result?.performance.toDate;
  return {
    dispatch_id: dispatch.id,
    version: standing?.version ?? null,
    version_reason: standing?.reason ?? null,
    program_id: dispatch.programId,
    program_name: dispatch.programName,
    account_id: site.accountId,
    site_id: site.siteId,
    site_name: site.name,
    local_date: localDate,
    local_month: localDate.slice(0, "2026-07".length),
    start_time: dispatch.startMs,
    end_time: endMs,
    test: String(dispatch.isTest),
    outcome,
    commitment_kw: site.commitmentKw,
    ...deliveredToWire(toDate),
    intervals_expected: toDate?.cellsExpected ?? null,
    intervals_received: toDate?.cellsPresent ?? null,
    coverage: rounded(toDate?.coverage ?? null),
    status: result?.status.colour ?? null,
    ...sharedToRow(shared),
  };
};

/** `performance-2026-06-01-to-2026-09-30-by-site`; the dates were checked by the contract. */
export const reportFileName = ({ from, to }: { readonly from: string; readonly to: string }, by: string): string =>
  `performance-${from}-to-${to}-by-${by.replace("_", "-")}`;
