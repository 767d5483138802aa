import Type, { type Static } from "typebox";
import { endpoint } from "../endpoint.js";
import {
  CurveQuery,
  measuredDispatch,
  PerformanceFailed,
  PerformancePreparing,
  PerformanceTotals,
  performanceStream,
  SitePerformance,
  SitePerformanceDetail,
  VersionQuery,
} from "../v2022-04-15/performance.js";
import { id } from "../values.js";
import { byId } from "./list.js";

/** What a site delivered, and whose it is. */
export const OperatorSitePerformance = Type.Object(
  { ...SitePerformance.properties, account_id: id("Account of the site.") },
  { $id: "OperatorSitePerformance" },
);
export type OperatorSitePerformance = Static<typeof OperatorSitePerformance>;

export const OperatorDispatchPerformance = Type.Object(
  { ...measuredDispatch, totals: PerformanceTotals, sites: Type.Array(OperatorSitePerformance) },
  { $id: "OperatorDispatchPerformance" },
);
export type OperatorDispatchPerformance = Static<typeof OperatorDispatchPerformance>;

export const OperatorSitePerformanceDetail = Type.Object(
  { ...SitePerformanceDetail.properties, site: OperatorSitePerformance },
  { $id: "OperatorSitePerformanceDetail" },
);

export const getAnyDispatchPerformance = endpoint({
  id: "getAnyDispatchPerformance",
  method: "GET",
  path: "/dispatches/{id}/performance",
  tag: "Performance",
  summary: "What the sites of a dispatch deliver, or delivered",
  description:
    "While the dispatch runs, as of now; afterwards the final result. The same path with /stream sends what changes as server-sent events.",
  params: byId,
  query: VersionQuery,
  reply: OperatorDispatchPerformance,
  notYet: PerformancePreparing,
});

export const streamAnyDispatchPerformance = endpoint({
  id: "streamAnyDispatchPerformance",
  method: "GET",
  path: "/dispatches/{id}/performance/stream",
  tag: "Performance",
  summary: "What the sites of a dispatch deliver, live",
  description: performanceStream,
  params: byId,
  events: { snapshot: OperatorDispatchPerformance, change: OperatorDispatchPerformance, failed: PerformanceFailed },
});

export const getAnySitePerformance = endpoint({
  id: "getAnySitePerformance",
  method: "GET",
  path: "/dispatches/{id}/sites/{site_id}/performance",
  tag: "Performance",
  summary: "The curves of a site in a dispatch, explained",
  params: Type.Object({ id: Type.String(), site_id: Type.String() }),
  query: CurveQuery,
  reply: OperatorSitePerformanceDetail,
  notYet: PerformancePreparing,
});
