import { downloadPerformanceReport, getPerformanceReport, type QueryOf } from "@curtail/contract";
import { MAX_REPORT_ROWS } from "@curtail/contract/constants";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { callerMayContinue, callerOf, readerOf } from "../../access/caller/caller.js";
import { eachOf, eachOfAll, sentTable } from "../../access/http/sent-table.js";
import type { AnswerBudget } from "../../platform/http/answer-budget.js";
import { serve, serveFile } from "../../platform/http/endpoint.js";
import { isRefusal } from "../../platform/refusal.js";
import {
  findCalls,
  type ReportPorts,
  type ReportQuestion,
  readReport,
  readReportPage,
} from "../operations/report/view-report.js";
import {
  CALL_COLUMNS,
  callToRow,
  REPORT_COLUMNS,
  reportFileName,
  reportRowToWire,
  reportToWire,
} from "./wire-report.js";

type Query = Omit<QueryOf<typeof getPerformanceReport>, "by" | "cursor" | "limit">;

/** Reports over the dispatches of a period, of the caller's own sites. */
export const ownReportRoutes = (app: FastifyInstance, ports: ReportPorts, budget: AnswerBudget): void => {
  serve(app, getPerformanceReport, async ({ query, request }) => {
    const question = questionOf(query, request);
    const page = { limit: MAX_REPORT_ROWS, ...query };
    const report = await readReportPage(ports, question, query.by ?? "site", page);
    return isRefusal(report) ? report : reportToWire(report, query);
  });
  serveFile(app, downloadPerformanceReport, async (call) => {
    const { by = "site", format = "csv", ...query } = call.query;
    const question = questionOf(query, call.request);
    const file = { name: reportFileName(query, by), format };
    const callers = { reader: readerOf, mayContinue: callerMayContinue, budget };
    if (by === "dispatch_site") {
      const calls = findCalls(ports, question);
      if (isRefusal(calls)) return calls;
      return sentTable(callers, call, { ...file, columns: CALL_COLUMNS, rows: eachOfAll(calls, callToRow) });
    }
    const report = await readReport(ports, question, by);
    if (isRefusal(report)) return report;
    return sentTable(callers, call, { ...file, columns: REPORT_COLUMNS, rows: eachOf(report.rows, reportRowToWire) });
  });
};

const questionOf = (query: Query, request: FastifyRequest): ReportQuestion => {
  const { from, to, tests, program_id: programId, site_id: siteId } = query;
  const viewer = callerOf(request);
  const filter = {
    accountId: viewer.accountId,
    ...(programId === undefined ? {} : { programId }),
    ...(siteId === undefined ? {} : { siteId }),
  };
  return { from, to, tests: tests === "true", viewer, filter };
};
