import type { operator } from "@curtail/contract";
import { momentToWire } from "../../platform/http/timestamps.js";
import { rounded } from "../../platform/rounded.js";
import { formatTimestamp } from "../../platform/timestamp.js";
import type { Shift } from "../domain/shift.js";
import type {
  DrawnReport,
  ReportedDispatch,
  ShiftAlarms,
  ShiftCall,
  ShiftChange,
  ShiftDispatch,
  ShiftReport,
  ShiftTexts,
} from "../domain/shift-report.js";
import type { KeptReport } from "../operations/shift-ports.js";

type NameOf = (actor: string) => string | null;
type Drawn = Omit<operator.ShiftReportDraft, "previous">;

export const drawnToWire = ({ drawnAt, dispatches, alarms, calls, changes, next, ...shift }: DrawnReport): Drawn => {
  const { count, items, openUnacknowledged: open_unacknowledged, ...sums } = alarms;
  return {
    ...shiftToWire(shift),
    drawn_at: formatTimestamp(drawnAt),
    dispatches: { count: dispatches.count, items: dispatches.items.map(dispatchToWire) },
    alarms: { ...sums, open_unacknowledged, count, items: items.map(alarmsToWire) },
    calls: { count: calls.count, items: calls.items.map(callToWire) },
    changes: { count: changes.count, items: changes.items.map(changeToWire) },
    next: { count: next.count, items: next.items.map(reportedToWire) },
  };
};

export const reportToWire = (report: ShiftReport, nameOf: NameOf): operator.ShiftReport => ({
  id: report.id,
  version: report.version,
  versions: report.versions.map(({ version, at, actor }) => ({
    version,
    at: formatTimestamp(at),
    by: actor,
    by_name: nameOf(actor),
  })),
  ...textsToWire(report.texts),
  ...drawnToWire(report.drawn),
});

export const itemToWire = (report: KeptReport, nameOf: NameOf): operator.ShiftReportItem => ({
  id: report.id,
  ...shiftToWire(report),
  summary: report.summary,
  dispatches: report.dispatches,
  alarms_open: report.openAlarms,
  version: report.version,
  kept_at: formatTimestamp(report.keptAt),
  kept_by: report.keptBy,
  kept_by_name: nameOf(report.keptBy),
  changed_at: formatTimestamp(report.changedAt),
  changed_by: report.changedBy,
  changed_by_name: nameOf(report.changedBy),
});

export const previousToWire = (
  previous: (Shift & { readonly id: string }) | null,
): operator.ShiftReportDraft["previous"] => (previous === null ? null : { id: previous.id, ...shiftToWire(previous) });

const shiftToWire = ({ from, to }: Shift) => ({ from_time: formatTimestamp(from), to_time: formatTimestamp(to) });

const textsToWire = ({ summary, dispatches, alarms, calls, changes, next }: ShiftTexts) => ({
  summary,
  dispatches_note: dispatches,
  alarms_note: alarms,
  calls_note: calls,
  changes_note: changes,
  next_note: next,
});

const reportedToWire = (dispatch: ReportedDispatch) => ({
  dispatch_id: dispatch.dispatchId,
  program_id: dispatch.programId,
  program_name: dispatch.programName,
  timezone: dispatch.timezone,
  test: dispatch.test,
  start_time: formatTimestamp(dispatch.start),
  end_time: momentToWire(dispatch.end),
  sites: dispatch.sites,
  commitment_kw: rounded(dispatch.commitmentKw),
  accounts: dispatch.accounts,
  accounts_notified: dispatch.accountsNotified,
});

const dispatchToWire = (dispatch: ShiftDispatch): operator.ShiftDispatch => ({
  ...reportedToWire(dispatch),
  state: dispatch.state,
  record: dispatch.isRecord,
  issued: dispatch.issued,
  changes: dispatch.changes,
  delivered_kw: rounded(dispatch.deliveredKw),
  delivered_kwh: rounded(dispatch.deliveredKwh),
  performance: rounded(dispatch.performance),
  result: dispatch.result,
});

const alarmsToWire = (group: ShiftAlarms): operator.ShiftAlarms => ({
  title: group.title,
  cause: group.cause ?? null,
  kind: group.kind ?? null,
  program_name: group.programName ?? null,
  accounts: group.accounts ?? null,
  dispatch_id: group.dispatchId,
  alarms: group.alarms,
  raised: group.raised,
  acknowledged: group.acknowledged,
  acknowledged_by: [...group.acknowledgedBy],
  cleared: group.cleared,
  open: group.open,
  open_unacknowledged: group.openUnacknowledged,
  shelved: group.shelved,
  assigned_to: group.assignedTo,
  since: formatTimestamp(group.since),
});

const callToWire = (call: ShiftCall): operator.ShiftCall => ({
  at: formatTimestamp(call.at),
  dispatch_id: call.dispatchId,
  program_name: call.programName,
  account_id: call.accountId,
  account_name: call.accountName,
  person: call.person,
  note: call.note,
  by: call.actor,
  by_name: call.actorName,
});

const changeToWire = (change: ShiftChange): operator.ShiftChange => ({
  action: change.action,
  by: change.actor,
  by_name: change.actorName,
  by_account_name: change.actorAccountName,
  count: change.count,
  subjects: [...change.subjects],
  first_at: formatTimestamp(change.firstAt),
  last_at: formatTimestamp(change.lastAt),
});
