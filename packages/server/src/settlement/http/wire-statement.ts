import type { Statement, StatementItem } from "@curtail/contract";
import type { ResultReader } from "../../performance/domain/version.js";
import { placeOf } from "../../performance/domain/version.js";
import { formatSecond } from "../../platform/timestamp.js";
import type { Visible } from "../../portfolio/operations/visible-sites.js";
import {
  type LineChange,
  rulesOf,
  type SettledProgram,
  type SettledSite,
  type StatementLine,
  type StatementVersion,
} from "../domain/statement.js";
import type { StatementItem as Item, StatementReport } from "../operations/view-statement.js";
import { termsToWire } from "./wire-terms.js";

export const itemToWire = (item: Item): StatementItem => ({
  id: item.id,
  account_id: item.accountId,
  account_name: item.accountName,
  month: item.month,
  state: item.state,
  version: item.version,
  newest_version: item.newestVersion,
  waiting: item.waiting.length,
  totals: item.totals === null ? null : [...item.totals],
});

/** Everything but the sites. */
export const headToWire = (report: StatementReport, reader: ResultReader): Omit<Statement, "sites"> => {
  const { statement, shown } = report;
  return {
    id: statement.id,
    account_id: statement.accountId,
    account_name: statement.accountName,
    month: statement.month,
    state: report.state,
    version: shown.version,
    versions: report.versions.map((each) => versionToWire(each, report, reader)),
    waiting: statement.waiting.map(({ dispatchId, programId, startMs }) => ({
      dispatch_id: dispatchId,
      program_id: programId,
      start_time: formatSecond(startMs),
    })),
    programs: shown.programs.map(programToWire),
    totals: [...report.totals],
    hidden_sites: report.hiddenSites,
  };
};

const programToWire = (program: SettledProgram): Statement["programs"][number] => ({
  id: program.id,
  name: program.name,
  timezone: program.timezone,
  from_month: program.fromMonth,
  rules_version: rulesOf(program),
  terms: termsToWire(program.terms),
});

const versionToWire = (
  each: StatementVersion,
  { standing, hiddenSites }: StatementReport,
  reader: ResultReader,
): Statement["versions"][number] => ({
  version: each.version,
  at: formatSecond(each.at),
  reason: each.reason,
  standing: placeOf(each.version, standing),
  by: each.actor !== null && reader === "participant" ? "operator" : each.actor,
  note: each.note,
  totals: hiddenSites === 0 ? [...each.totals] : null,
  changes: each.changes.map(changeToWire),
  change_count: each.changeCount,
  traces: each.traces.map(changeToWire),
  trace_count: each.traceCount,
});

export const changeToWire = (change: LineChange) => ({
  program_id: change.programId,
  site_id: change.siteId,
  site_name: change.siteName,
  kind: change.kind,
  dispatch_id: change.dispatchId,
  currency: change.currency,
  from: change.from,
  to: change.to,
  words: change.words,
});

export const sitesToWire = (sites: Visible<readonly SettledSite[]>): Statement["sites"] =>
  sites.map(({ programId, siteId, name, commitmentKw, amounts, lines }) => ({
    program_id: programId,
    site_id: siteId,
    name,
    commitment_kw: commitmentKw,
    ...amounts,
    lines: lines.map(lineToWire),
  }));

const lineToWire = (line: StatementLine): Statement["sites"][number]["lines"][number] => ({
  kind: line.kind,
  dispatch_id: line.dispatchId,
  start_time: line.startMs === null ? null : formatSecond(line.startMs),
  version: line.version,
  quantity: line.quantity,
  unit: line.unit,
  price: line.price,
  factor: line.factor,
  amount: line.amount,
  words: line.words,
  shared_with: (line.sharedWith ?? []).map(({ dispatchId, intervals, isPaidHere }) => ({
    dispatch_id: dispatchId,
    intervals,
    paid: isPaidHere ? ("here" as const) : ("there" as const),
  })),
});
