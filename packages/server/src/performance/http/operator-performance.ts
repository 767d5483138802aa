import { operator } from "@curtail/contract";
import type { FastifyInstance } from "fastify";
import { serve } from "../../platform/http/endpoint.js";
import { visibleToOperators } from "../../portfolio/operations/visible-sites.js";
import { lookedAt } from "../operations/preparing.js";
import type { PerformanceView } from "../operations/view-performance.js";
import { serveCurve, shown } from "./participant-performance.js";
import {
  curveReportToWire,
  operatorPerformanceToWire,
  operatorSiteToWire,
  sitePerformanceToWire,
} from "./wire-performance.js";

export interface PerformanceRoutePorts {
  readonly performance: PerformanceView;
}

export const performanceRoutes = (app: FastifyInstance, { performance }: PerformanceRoutePorts): void => {
  serve(app, operator.getAnyDispatchPerformance, async ({ params, query }) => {
    const report = await performance.ofDispatch(params.id, {}, query.version ?? null);
    return shown(lookedAt(report, visibleToOperators), operatorPerformanceToWire);
  });
  serve(app, operator.getDispatchCurve, async ({ params, query }) => {
    const report = await performance.curveOfDispatch(params.id, query.version ?? null);
    return shown(lookedAt(report, visibleToOperators), curveReportToWire);
  });
  serveCurve(app, operator.getAnySitePerformance, {
    find: async ({ params, query }) => {
      const report = await performance.ofSite(params.id, { siteId: params.site_id }, query.version ?? null);
      return lookedAt(report, visibleToOperators);
    },
    toWire: (report) => sitePerformanceToWire(report, operatorSiteToWire),
  });
};
