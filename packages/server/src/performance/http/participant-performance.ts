import {
  downloadDispatchTable,
  getDispatchPerformance,
  getPerformanceDifference,
  getSitePerformance,
} from "@curtail/contract";
import type { FastifyInstance } from "fastify";
import { callerMayContinue, callerOf, readerOf } from "../../access/caller/caller.js";
import type { AnswerBudget } from "../../platform/http/answer-budget.js";
import { serve } from "../../platform/http/endpoint.js";
import { isRefusal } from "../../platform/refusal.js";
import type { PerformanceService } from "../operations/performance-service.js";
import { serveTable } from "./dispatch-table.js";
import { serveCurve, shown } from "./serve-look.js";
import { TABLE_COLUMNS } from "./wire-dispatch-table.js";
import { performanceToWire, sitePerformanceToWire, siteToWire } from "./wire-performance.js";
import { differenceToWire } from "./wire-performance-difference.js";

export const performanceRoutes = (app: FastifyInstance, service: PerformanceService, budget: AnswerBudget): void => {
  serve(app, getDispatchPerformance, async ({ params, query, request }) => {
    const report = await service.dispatchPerformance(callerOf(request), params.id, query.version ?? null);
    return shown(report, performanceToWire);
  });
  serve(app, getPerformanceDifference, async ({ params, query, request }) => {
    const compared = { from: query.from ?? null, to: query.to ?? null };
    const difference = await service.performanceDifference(callerOf(request), params.id, compared);
    return isRefusal(difference) ? difference : differenceToWire(difference, siteToWire);
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
