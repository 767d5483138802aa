import { operator } from "@curtail/contract";
import type { FastifyInstance } from "fastify";
import { isRefusal } from "../../domain/refusal.js";
import { serve } from "../endpoint.js";
import { serveCurve } from "../routes/performance.js";
import {
  curveReportToWire,
  operatorPerformanceToWire,
  operatorSiteToWire,
  sitePerformanceToWire,
} from "../wire/performance.js";
import type { OperatorPorts } from "./operator-ports.js";

export const performanceRoutes = (app: FastifyInstance, { performance }: OperatorPorts): void => {
  serve(app, operator.getAnyDispatchPerformance, async ({ params, query }) => {
    const report = await performance.ofDispatch(params.id, {}, query.version ?? null);
    return isRefusal(report) ? report : operatorPerformanceToWire(report);
  });
  serve(app, operator.getDispatchCurve, async ({ params, query }) => {
    const report = await performance.curveOfDispatch(params.id, query.version ?? null);
    return isRefusal(report) ? report : curveReportToWire(report);
  });
  serveCurve(app, operator.getAnySitePerformance, {
    find: ({ params, query }) => performance.ofSite(params.id, { siteId: params.site_id }, query.version ?? null),
    toWire: (report) => sitePerformanceToWire(report, operatorSiteToWire),
  });
};
