import {
  downloadDispatchTable,
  getDispatchPerformance,
  getPerformanceDifference,
  getSitePerformance,
  operator,
  participantConsole,
} from "@curtail/contract";
import type { FastifyInstance } from "fastify";
import { actorOf, mayContinue } from "../../access/caller/actor.js";
import { callerMayContinue, callerOf, readerOf } from "../../access/caller/caller.js";
import type { AnswerBudget } from "../../platform/http/answer-budget.js";
import { serve } from "../../platform/http/endpoint.js";
import { type RepeatablePorts, serveOnce } from "../../platform/http/serve-once.js";
import { moments, spaceAsPlus } from "../../platform/http/timestamps.js";
import { isRefusal } from "../../platform/refusal.js";
import { visibleToOperators } from "../../portfolio/operations/visible-sites.js";
import { type ApprovingStores, approveResult } from "../operations/final/approve-result.js";
import { type DecidingStores, decideSite } from "../operations/final/decide-site.js";
import type { LivePerformance } from "../operations/live/live-performance.js";
import { lookedAt } from "../operations/live/preparing.js";
import { type AccountCurvePorts, accountCurve } from "../operations/report/account-curve.js";
import type { PerformanceService } from "../operations/report/performance-service.js";
import type { PerformanceView } from "../operations/report/view-performance.js";
import { OPERATOR_TABLE_COLUMNS, serveTable, TABLE_COLUMNS } from "./dispatch-table.js";
import { serveCurve, shown } from "./serve-look.js";
import {
  accountCurveToWire,
  curveReportToWire,
  operatorPerformanceToWire,
  operatorSiteToWire,
  performanceToWire,
  sitePerformanceToWire,
  sitesAtToWire,
  siteToWire,
  versionsToWire,
} from "./wire-performance.js";
import { differenceToWire } from "./wire-performance-difference.js";

export type PerformanceRoutePorts = RepeatablePorts<ApprovingStores & DecidingStores> & {
  readonly performance: PerformanceView;
  readonly live: Pick<LivePerformance, "finished">;
};

export const performanceRoutes = (app: FastifyInstance, ports: PerformanceRoutePorts, budget: AnswerBudget): void => {
  const { performance, live } = ports;
  serve(app, operator.getAnyDispatchPerformance, async ({ params, query }) => {
    const report = await performance.ofDispatch(params.id, {}, query.version ?? null);
    return shown(lookedAt(report, visibleToOperators), operatorPerformanceToWire);
  });
  serve(app, operator.getDispatchCurve, async ({ params, query }) => {
    const report = await performance.curveOfDispatch(params.id, {
      version: query.version ?? null,
      filter: {},
      isCounted: () => true,
    });
    return shown(lookedAt(report, visibleToOperators), curveReportToWire);
  });
  serve(app, operator.getMomentaryPerformance, async ({ params, query }) => {
    const times = moments({ at: spaceAsPlus(query.at) });
    if (isRefusal(times)) return times;
    const report = await performance.sitesAt(params.id, { ...times, version: query.version ?? null });
    return shown(lookedAt(report, visibleToOperators), sitesAtToWire);
  });
  serve(app, operator.getAnyPerformanceDifference, async ({ params, query }) => {
    const compared = { from: query.from ?? null, to: query.to ?? null };
    const difference = await performance.differenceOf(params.id, {}, compared);
    if (isRefusal(difference)) return difference;
    return differenceToWire(visibleToOperators(difference), operatorSiteToWire, "operator");
  });
  serveCurve(app, operator.getAnySitePerformance, {
    find: async ({ params, query }) => {
      const report = await performance.ofSite(params.id, { siteId: params.site_id }, query.version ?? null);
      return lookedAt(report, visibleToOperators);
    },
    toWire: (report) => sitePerformanceToWire(report, operatorSiteToWire, "operator"),
  });
  serveTable(app, operator.downloadAnyDispatchTable, {
    find: async ({ params, query }) => {
      const table = await performance.tableOfDispatch(params.id, {}, query.version ?? null);
      return lookedAt(table, visibleToOperators);
    },
    columns: OPERATOR_TABLE_COLUMNS,
    reader: actorOf,
    mayContinue,
    budget,
  });
  serve(app, operator.decideSite, async ({ params, body, request }) => {
    const decision = { dispatchId: params.id, siteId: params.site_id, counts: body.counts, reason: body.reason };
    const versions = await decideSite(ports, actorOf(request), decision);
    if (isRefusal(versions)) return versions;
    return { dispatch_id: params.id, site_id: params.site_id, versions: versionsToWire(versions, "operator") };
  });
  serveOnce(app, operator.approvePerformance, ports, async ({ params, body, request }, ports) => {
    const approval = { dispatchId: params.id, version: body.version, note: body.note };
    const versions = await approveResult(ports, actorOf(request), approval);
    if (isRefusal(versions)) return versions;
    const approved = versions.at(-1);
    if (approved !== undefined) live.finished(params.id, approved);
    return { dispatch_id: params.id, versions: versionsToWire(versions, "operator") };
  });
};

export const participantPerformanceRoutes = (
  app: FastifyInstance,
  service: PerformanceService,
  budget: AnswerBudget,
): void => {
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

/** What the caller's own sites deliver together. */
export const ownPerformanceRoutes = (app: FastifyInstance, ports: AccountCurvePorts): void =>
  serve(app, participantConsole.getAccountCurve, async ({ params, query, request }) => {
    const curve = await accountCurve(ports, callerOf(request), { id: params.id, version: query.version ?? null });
    return shown(curve, accountCurveToWire);
  });
