import { operator, type QueryOf } from "@curtail/contract";
import { MAX_REPORT_ROWS } from "@curtail/contract/constants";
import type { FastifyInstance } from "fastify";
import { actorOf, mayContinue } from "../../access/caller/actor.js";
import { eachOf, eachOfAll, sentTable } from "../../access/http/sent-table.js";
import type { AnswerBudget } from "../../platform/http/answer-budget.js";
import { serve, serveFile } from "../../platform/http/endpoint.js";
import { isRefusal, type Refusal, type Result } from "../../platform/refusal.js";
import { accuracyOfRows, type RowAccuracy, refuseAccuracy } from "../operations/report/report-accuracy.js";
import type { ReportBy } from "../operations/report/season-report.js";
import type { TryMethods } from "../operations/report/try-method.js";
import {
  findCalls,
  type ReportPorts,
  type ReportQuestion,
  type ReportRow,
  readReport,
  readReportPage,
} from "../operations/report/view-report.js";
import {
  CALL_COLUMNS,
  callToRow,
  OPERATOR_REPORT_COLUMNS,
  operatorReportToWire,
  operatorRowToWire,
  reportFileName,
  rowsOfPage,
} from "./wire-report.js";

export interface ReportRoutePorts extends ReportPorts {
  readonly tryMethods: TryMethods;
}

type Query = Omit<QueryOf<typeof operator.getAnyPerformanceReport>, "by" | "cursor" | "limit">;

/** Reports over the dispatches of a period, of any site. */
export const reportRoutes = (app: FastifyInstance, ports: ReportRoutePorts, budget: AnswerBudget): void => {
  serve(app, operator.getAnyPerformanceReport, async ({ query }) => {
    const by = query.by ?? "site";
    const refusal = refuseQuery(query, by);
    if (refusal !== null) return refusal;
    const page = { limit: MAX_REPORT_ROWS, ...query };
    const report = await readReportPage(ports, questionOf(query), by, page);
    if (isRefusal(report)) return report;
    const rows = rowsOfPage(report, page);
    if (isRefusal(rows)) return rows;
    const accuracies = await wantedAccuracies(ports, query, rows.items);
    return isRefusal(accuracies) ? accuracies : operatorReportToWire(report, rows, accuracies);
  });
  serveFile(app, operator.downloadAnyPerformanceReport, async (call) => {
    const { by = "site", format = "csv", ...query } = call.query;
    const file = { name: reportFileName(query, by), format };
    const callers = { reader: actorOf, mayContinue, budget };
    if (by === "dispatch_site") {
      const calls = findCalls(ports, questionOf(query));
      if (isRefusal(calls)) return calls;
      return sentTable(callers, call, { ...file, columns: CALL_COLUMNS, rows: eachOfAll(calls, callToRow) });
    }
    const refusal = refuseQuery(query, by);
    if (refusal !== null) return refusal;
    const report = await readReport(ports, questionOf(query), by);
    if (isRefusal(report)) return report;
    const accuracies = await wantedAccuracies(ports, query, report.rows);
    if (isRefusal(accuracies)) return accuracies;
    const rows = eachOf(report.rows, (row) => operatorRowToWire(row, accuracies));
    return sentTable(callers, call, { ...file, columns: OPERATOR_REPORT_COLUMNS, rows });
  });
};

const questionOf = ({ from, to, tests, ...query }: Query): ReportQuestion => ({
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

const refuseQuery = (query: Query, by: ReportBy): Refusal | null =>
  query.accuracy === "true" ? refuseAccuracy(questionOf(query), by) : null;

/** Of the rows that are sent, which may be few of a long report; empty unless requested. */
const wantedAccuracies = async (
  { tryMethods }: ReportRoutePorts,
  query: Query,
  rows: readonly ReportRow[],
): Promise<Result<ReadonlyMap<string, RowAccuracy>>> =>
  query.accuracy === "true" ? accuracyOfRows(tryMethods, rows) : new Map();
