import { downloadDispatchTable, getDispatchPerformance, getSitePerformance } from "@curtail/contract";
import type { FastifyInstance } from "fastify";
import { callerMayContinue, callerOf, readerOf } from "../../access/caller/caller.js";
import type { AnswerBudget } from "../../platform/http/answer-budget.js";
import { serve } from "../../platform/http/endpoint.js";
import type { PerformanceService } from "../operations/performance-service.js";
import { serveTable } from "./dispatch-table.js";
import { serveCurve, shown } from "./serve-look.js";
import { TABLE_COLUMNS } from "./wire-dispatch-table.js";
import { performanceToWire, sitePerformanceToWire, siteToWire } from "./wire-performance.js";

export const performanceRoutes = (app: FastifyInstance, service: PerformanceService, budget: AnswerBudget): void => {
  serve(app, getDispatchPerformance, async ({ params, query, request }) => {
    const report = await service.dispatchPerformance(callerOf(request), params.id, query.version ?? null);
    return shown(report, performanceToWire);
  });
  serveCurve(app, getSitePerformance, {
    find: ({ params, query, request }) =>
      service.sitePerformance(callerOf(request), params.id, params.site_id, query.version ?? null),
    toWire: (report) => sitePerformanceToWire(report, siteToWire),
  });
  serveTable(app, downloadDispatchTable, {
    find: ({ params, query, request }) => service.dispatchTable(callerOf(request), params.id, query.version ?? null),
    columns: TABLE_COLUMNS,
    reader: readerOf,
    mayContinue: callerMayContinue,
    budget,
  });
};
