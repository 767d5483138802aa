import { operator, type QueryOf } from "@curtail/contract";
import type { FastifyInstance } from "fastify";
import { actorOf, mayContinue } from "../../access/caller/actor.js";
import { eachOf, sentTable } from "../../access/http/sent-table.js";
import type { Clock } from "../../platform/clock.js";
import type { AnswerBudget } from "../../platform/http/answer-budget.js";
import { NotYet, serve, serveFile } from "../../platform/http/endpoint.js";
import { listedBy } from "../../platform/http/page.js";
import { isRefusal } from "../../platform/refusal.js";
import { visibleToOperators } from "../../portfolio/operations/visible-sites.js";
import { type PastFilter, sharedWith } from "../operations/final/standing-results.js";
import { lookedAt } from "../operations/live/preparing.js";
import {
  type DispatchResultPorts,
  everyDispatchResult,
  listDispatchResults,
} from "../operations/report/dispatch-results.js";
import type { PerformanceView } from "../operations/report/view-performance.js";
import { shown } from "./serve-look.js";
import {
  byStartPlace,
  dispatchResultToRow,
  dispatchResultToWire,
  RESULT_COLUMNS,
  resultFileName,
  SITE_RESULT_COLUMNS,
  siteResultToRow,
} from "./wire-dispatch-result.js";

export interface DispatchResultRoutePorts extends DispatchResultPorts {
  readonly clock: Clock;
  readonly performance: Pick<PerformanceView, "ofDispatch">;
}

/** Results of past dispatches, as a list and as files. */
export const dispatchResultRoutes = (
  app: FastifyInstance,
  ports: DispatchResultRoutePorts,
  budget: AnswerBudget,
): void => {
  const callers = { reader: actorOf, mayContinue, budget };
  serve(app, operator.listDispatchResults, ({ query }) =>
    listedBy(query, {
      form: byStartPlace,
      list: (page) => listDispatchResults(ports, filterOf(query), ports.clock.now(), page),
      toWire: dispatchResultToWire,
    }),
  );
  serveFile(app, operator.downloadDispatchResults, async (call) => {
    const { format = "csv", ...query } = call.query;
    const results = everyDispatchResult(ports, filterOf(query), ports.clock.now());
    if (isRefusal(results)) return results;
    const rows = eachOf(results, dispatchResultToRow);
    return sentTable(callers, call, { name: resultFileName(query), format, columns: RESULT_COLUMNS, rows });
  });
  serveFile(app, operator.downloadSiteResults, async (call) => {
    const { format = "csv", version = null } = call.query;
    const looked = lookedAt(await ports.performance.ofDispatch(call.params.id, {}, version), visibleToOperators);
    const report = shown(looked, (found) => found);
    if (isRefusal(report) || report instanceof NotYet) return report;
    const shared = await sharedWith(ports.sharedIn, report.dispatch, {});
    const name = `${report.dispatch.id}-${report.version === null ? "live" : `v${report.version}`}-sites`;
    const rows = eachOf(report.sites, (site) => siteResultToRow(report, site, shared.get(site.siteId) ?? []));
    return sentTable(callers, call, { name, format, columns: SITE_RESULT_COLUMNS, rows });
  });
};

const filterOf = (query: Omit<QueryOf<typeof operator.downloadDispatchResults>, "format">): PastFilter => ({
  tests: query.tests ?? "included",
  order: query.order ?? "newest",
  ...(query.from === undefined ? {} : { from: query.from }),
  ...(query.to === undefined ? {} : { to: query.to }),
  ...(query.program_id === undefined ? {} : { programId: query.program_id }),
  ...(query.account_id === undefined ? {} : { accountId: query.account_id }),
  ...(query.site_id === undefined ? {} : { siteId: query.site_id }),
});
