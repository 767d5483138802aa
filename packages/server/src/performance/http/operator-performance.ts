import { operator } from "@curtail/contract";
import type { FastifyInstance } from "fastify";
import { actorOf, mayContinue } from "../../access/caller/actor.js";
import type { AnswerBudget } from "../../platform/http/answer-budget.js";
import { serve } from "../../platform/http/endpoint.js";
import { type RepeatablePorts, serveOnce } from "../../platform/http/serve-once.js";
import { isRefusal } from "../../platform/refusal.js";
import { visibleToOperators } from "../../portfolio/operations/visible-sites.js";
import { type ApprovingStores, approveResult } from "../operations/approve-result.js";
import { type DecidingStores, decideSite } from "../operations/decide-site.js";
import type { LivePerformance } from "../operations/live-performance.js";
import { lookedAt } from "../operations/preparing.js";
import type { PerformanceView } from "../operations/view-performance.js";
import { serveTable } from "./dispatch-table.js";
import { serveCurve, shown } from "./serve-look.js";
import { OPERATOR_TABLE_COLUMNS } from "./wire-dispatch-table.js";
import {
  curveReportToWire,
  operatorPerformanceToWire,
  operatorSiteToWire,
  sitePerformanceToWire,
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
