import { type Endpoint, getDispatchPerformance, getSitePerformance, type ReplyOf } from "@curtail/contract";
import type { FastifyInstance } from "fastify";
import { isRefusal, type Result } from "../../domain/refusal.js";
import type { SiteReport } from "../../operations/measure-dispatch.js";
import type { ParticipantService } from "../../operations/participant-service.js";
import { callerOf } from "../caller.js";
import { type Call, serve, serveAs } from "../endpoint.js";
import { curveToCsv, performanceToWire, sitePerformanceToWire, siteToWire } from "../wire/performance.js";

export const performanceRoutes = (app: FastifyInstance, service: ParticipantService): void => {
  serve(app, getDispatchPerformance, async ({ params, query, request }) => {
    const report = await service.dispatchPerformance(callerOf(request), params.id, query.version ?? null);
    return isRefusal(report) ? report : performanceToWire(report);
  });
  serveCurve(app, getSitePerformance, {
    find: ({ params, query, request }) =>
      service.sitePerformance(callerOf(request), params.id, params.site_id, query.version ?? null),
    toWire: (report) => sitePerformanceToWire(report, siteToWire),
  });
};

interface Curve<E extends Endpoint> {
  readonly find: (call: Call<E>) => Promise<Result<SiteReport>>;
  readonly toWire: (report: SiteReport) => ReplyOf<E>;
}

/** Serves a site's curves as JSON, or as CSV where that is asked for. */
export const serveCurve = <E extends Endpoint>(app: FastifyInstance, endpoint: E, { find, toWire }: Curve<E>): void =>
  serveAs(app, endpoint, async (call) => {
    const report = await find(call);
    if (isRefusal(report)) return report;
    const { format } = call.query as { readonly format?: "json" | "csv" };
    return format === "csv"
      ? { type: "text/csv; charset=utf-8", body: curveToCsv(report) }
      : { type: "application/json; charset=utf-8", body: JSON.stringify(toWire(report)) };
  });
