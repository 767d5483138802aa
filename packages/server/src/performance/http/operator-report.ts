import { operator, type QueryOf } from "@curtail/contract";
import { MAX_REPORT_ROWS } from "@curtail/contract/constants";
import type { FastifyInstance } from "fastify";
import { actorOf, mayContinue } from "../../access/caller/actor.js";
import { eachOf, sentTable } from "../../access/http/sent-table.js";
import type { AnswerBudget } from "../../platform/http/answer-budget.js";
import { serve, serveFile } from "../../platform/http/endpoint.js";
import { isRefusal, type Result } from "../../platform/refusal.js";
import { accuracyOfRows, type RowAccuracy, refuseAccuracy } from "../operations/report-accuracy.js";
import type { ReportBy } from "../operations/season-report.js";
import type { TryMethods } from "../operations/try-method.js";
import {
  findCalls,
  type PerformanceReport,
  type ReportPage,
  type ReportPorts,
  type ReportQuestion,
  readReport,
  readReportPage,
} from "../operations/view-report.js";
import {
  CALL_COLUMNS,
  callToRow,
  OPERATOR_REPORT_COLUMNS,
  operatorReportToWire,
  operatorRowToWire,
  reportFileName,
} from "./wire-report.js";

export interface ReportRoutePorts {
  readonly reports: ReportPorts;
  readonly tryMethods: TryMethods;
}

type Query = Omit<QueryOf<typeof operator.getAnyPerformanceReport>, "cursor" | "limit">;

/** Reports over the dispatches of a period, of any site. */
export const reportRoutes = (app: FastifyInstance, ports: ReportRoutePorts, budget: AnswerBudget): void => {
  serve(app, operator.getAnyPerformanceReport, async ({ query }) => {
    const page = { limit: MAX_REPORT_ROWS, ...query };
    const found = await reported(ports, query, query.by ?? "site", page);
    return isRefusal(found) ? found : operatorReportToWire(found.report, query, found.accuracies);
  });
  serveFile(app, operator.downloadAnyPerformanceReport, async (call) => {
    const { by = "site", format = "csv", ...query } = call.query;
    const file = { name: reportFileName(query, by), format };
    const callers = { reader: actorOf, mayContinue, budget };
    if (by === "dispatch_site") {
      const calls = findCalls(ports.reports, questionOf(query));
      if (isRefusal(calls)) return calls;
      return sentTable(callers, call, { ...file, columns: CALL_COLUMNS, rows: eachOf(calls, callToRow) });
    }
    const found = await reported(ports, query, by);
    if (isRefusal(found)) return found;
    const rows = eachOf(found.report.rows, (row) => operatorRowToWire(row, found.accuracies));
    return sentTable(callers, call, { ...file, columns: OPERATOR_REPORT_COLUMNS, rows });
  });
};

const questionOf = ({ from, to, tests, ...query }: Omit<Query, "by">): ReportQuestion => ({
  from,
  to,
  tests: tests === "true",
  viewer: "operators",
  filter: {
    ...(query.program_id === undefined ? {} : { programId: query.program_id }),
    ...(query.account_id === undefined ? {} : { accountId: query.account_id }),
    ...(query.site_id === undefined ? {} : { siteId: query.site_id }),
  },
});

interface Reported {
  readonly report: PerformanceReport;
  /** Empty unless requested. */
  readonly accuracies: ReadonlyMap<string, RowAccuracy>;
}

const reported = async (
  { reports, tryMethods }: ReportRoutePorts,
  query: Omit<Query, "by">,
  by: ReportBy,
  page: ReportPage | null = null,
): Promise<Result<Reported>> => {
  const question = questionOf(query);
  const wantsAccuracy = query.accuracy === "true";
  const refusal = wantsAccuracy ? refuseAccuracy(question, by) : null;
  if (refusal !== null) return refusal;
  const report = await (page === null
    ? readReport(reports, question, by)
    : readReportPage(reports, question, by, page));
  if (isRefusal(report)) return report;
  const accuracies = wantsAccuracy ? await accuracyOfRows(tryMethods, report.rows) : new Map<string, RowAccuracy>();
  return isRefusal(accuracies) ? accuracies : { report, accuracies };
};
