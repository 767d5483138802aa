import type { operator } from "@curtail/contract";
import type { TableColumns, TableRowOf } from "../../platform/files/table-file.js";
import type { CursorForm } from "../../platform/http/page.js";
import { rounded } from "../../platform/rounded.js";
import { formatSecond, formatTimestamp } from "../../platform/timestamp.js";
import type { SharedIntervals } from "../domain/shared-energy.js";
import type { StartPlace } from "../operations/final/standing-results.js";
import type { DispatchReport } from "../operations/measure-dispatch.js";
import type { DispatchResult } from "../operations/report/dispatch-results.js";
import { deliveredToWire } from "./wire-performance.js";
import { DELIVERED_COLUMNS, sharedToRow } from "./wire-report.js";

const wordsOf = (result: DispatchResult) => ({
  dispatch_id: result.dispatch.id,
  program_id: result.dispatch.programId,
  program_name: result.dispatch.programName,
  timezone: result.dispatch.timezone,
  local_date: result.localDate,
  duration_seconds: result.endMs === null ? 0 : (result.endMs - result.dispatch.startMs) / 1000,
  state: result.state,
  version: result.standing?.version ?? null,
  void_reason: result.voidReason,
});

const figuresOf = ({ figures, ...result }: DispatchResult) => ({
  sites: result.sites,
  measured_sites: figures.outcomes.measured,
  paid_elsewhere_sites: figures.paidElsewhere,
  commitment_kw: rounded(result.commitmentKw),
  mean_reduction_kw: rounded(result.meanReductionKw),
  performance: rounded(figures.performance),
  delivered_energy_kwh: rounded(figures.deliveredKwh),
  committed_energy_kwh: rounded(figures.committedKwh),
  delivered_share: rounded(figures.deliveredShare),
  coverage: rounded(figures.coverage),
  judged_sites: figures.judged,
  share_on_commitment: rounded(figures.shareOnCommitment),
  accounts: result.accounts,
  reached_accounts: result.reachedAccounts,
});

export const dispatchResultToWire = (result: DispatchResult): operator.DispatchResult => ({
  ...wordsOf(result),
  start_time: formatSecond(result.dispatch.startMs),
  end_time: result.endMs === null ? null : formatSecond(result.endMs),
  test: result.dispatch.isTest,
  record: result.dispatch.isRecord,
  later_version: result.hasLater,
  ...figuresOf(result),
  notification_time: formatTimestamp(result.notification),
});

/** Columns of the file of results. */
export const RESULT_COLUMNS = {
  dispatch_id: "word",
  program_id: "word",
  program_name: "name",
  timezone: "word",
  local_date: "word",
  local_start: "word",
  local_end: "word?",
  start_time: "time",
  end_time: "time?",
  duration_seconds: "integer",
  test: "word",
  record: "word",
  state: "word",
  version: "integer?",
  later_version: "word",
  void_reason: "name?",
  sites: "integer",
  measured_sites: "integer",
  paid_elsewhere_sites: "integer",
  commitment_kw: "number",
  mean_reduction_kw: "number?",
  performance: "number?",
  delivered_energy_kwh: "number?",
  committed_energy_kwh: "number?",
  delivered_share: "number?",
  coverage: "number?",
  judged_sites: "integer",
  share_on_commitment: "number?",
  accounts: "integer",
  reached_accounts: "integer",
  notification_time: "time",
} as const satisfies TableColumns;

export const dispatchResultToRow = (result: DispatchResult): TableRowOf<typeof RESULT_COLUMNS> => ({
  ...wordsOf(result),
  local_start: result.localStart,
  local_end: result.localEnd,
  start_time: result.dispatch.startMs,
  end_time: result.endMs,
  test: String(result.dispatch.isTest),
  record: String(result.dispatch.isRecord),
  later_version: String(result.hasLater),
  ...figuresOf(result),
  notification_time: result.notification.getTime(),
});

/** Columns of the file with one row per site of a dispatch. */
export const SITE_RESULT_COLUMNS = {
  dispatch_id: "word",
  version: "integer?",
  state: "word",
  site_id: "word",
  site_name: "name",
  account_id: "word",
  commitment_kw: "number?",
  baseline: "word",
  baseline_reason: "name?",
  ...DELIVERED_COLUMNS,
  intervals_expected: "integer",
  intervals_received: "integer",
  coverage: "number?",
  status: "word",
  shared_with: "word?",
  paid_in: "word?",
  intervals_paid_elsewhere: "integer?",
} as const satisfies TableColumns;

export const siteResultToRow = (
  { dispatch, version, state }: Pick<DispatchReport, "dispatch" | "version" | "state">,
  { performance: { toDate }, baseline, ...site }: DispatchReport["sites"][number],
  shared: readonly SharedIntervals[],
): TableRowOf<typeof SITE_RESULT_COLUMNS> => ({
  dispatch_id: dispatch.id,
  version,
  state,
  site_id: site.siteId,
  site_name: site.name,
  account_id: site.accountId,
  commitment_kw: site.commitmentKw,
  baseline: baseline.provisional ? "provisional" : baseline.state,
  baseline_reason: baseline.reason,
  ...deliveredToWire(toDate),
  intervals_expected: toDate.cellsExpected,
  intervals_received: toDate.cellsPresent,
  coverage: rounded(toDate.coverage),
  status: site.status.colour,
  ...sharedToRow(shared),
});

/** `dispatch-results-2026-06-01-to-2026-09-30`, without days that were not asked for. */
export const resultFileName = ({ from, to }: { readonly from?: string; readonly to?: string }): string =>
  ["dispatch-results", ...(from === undefined ? [] : ["from", from]), ...(to === undefined ? [] : ["to", to])].join(
    "-",
  );

export const byStartPlace: CursorForm<StartPlace> = {
  write: ({ startMs, id }) => `t${startMs}.${id}`,
  read(text) {
    const [, ms, id] = /^t(\d{1,15})\.([\w-]{1,60})$/.exec(text) ?? [];
    return ms === undefined || id === undefined ? null : { startMs: Number(ms), id };
  },
};
