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
import { id, nullable, Timestamp } from "../values.js";
import { byId } from "./list.js";

/** What a site delivered, and whose it is. */
export const OperatorSitePerformance = Type.Object(
  { ...SitePerformance.properties, account_id: id("account", "Account of the site.") },
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

const sumKw = (description: string) => nullable(Type.Number({ description: `${description}, in kW.` }));

/** A cell of 30 s of the sums over sites. */
const PortfolioCell = Type.Object(
  {
    timestamp: Timestamp,
    sites: Type.Integer({ description: "Sites that the sums are of." }),
    commitment_kw: Type.Number({ description: "Sum of their commitments; null counts 0." }),
    baseline_kw: sumKw("Sum of their baselines"),
    load_kw: sumKw("Sum of their loads; null for what is yet to come"),
    reduction_kw: sumKw("Baseline less load"),
    target_kw: sumKw("Load at which the commitments are met"),
  },
  { $id: "PortfolioCell" },
);

export const PortfolioCurve = Type.Object(
  {
    ...measuredDispatch,
    curve: Type.Array(PortfolioCell, { description: "From an hour before the start to an hour after the end." }),
  },
  { $id: "PortfolioCurve" },
);
export type PortfolioCurve = Static<typeof PortfolioCurve>;

export const getDispatchCurve = endpoint({
  id: "getDispatchCurve",
  method: "GET",
  path: "/dispatches/{id}/performance/curve",
  tag: "Performance",
  summary: "What the sites of a dispatch deliver together, over time",
  description:
    "Sums over the sites that have load and baseline. As in `totals.now`, a site counts by its newest cell until that is too old.",
  params: byId,
  query: VersionQuery,
  reply: PortfolioCurve,
  notYet: PerformancePreparing,
});

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
  otherForms: ["text/csv"],
  notYet: PerformancePreparing,
});
