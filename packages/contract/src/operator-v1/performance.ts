import Type, { type Static } from "typebox";
import { NAME_CHARACTERS } from "../constants.js";
import { endpoint } from "../endpoint.js";
import { measuredDispatch, resultVersions } from "../v2022-04-15/measured-dispatch.js";
import {
  CurveQuery,
  measuredPart,
  PerformanceFailed,
  PerformancePreparing,
  PerformanceTotals,
  performanceStream,
  resultRules,
  siteInDispatch,
  TableQuery,
  tableFiles,
  tableRules,
  VersionQuery,
} from "../v2022-04-15/performance.js";
import { SitePerformance } from "../v2022-04-15/site-performance.js";
import { curvePeriod, SitePerformanceDetail } from "../v2022-04-15/site-performance-detail.js";
import { byId, id, integer, moment, nullable, number, text, version } from "../values.js";

/** What a site delivered, with its account. */
export const OperatorSitePerformance = Type.Object(
  { ...SitePerformance.properties, account_id: id("account", "Account of the site.") },
  {
    $id: "OperatorSitePerformance",
    description: "What a site delivers or delivered, with its account. null means unknown, never zero.",
  },
);
export type OperatorSitePerformance = Static<typeof OperatorSitePerformance>;

export const OperatorDispatchPerformance = Type.Object(
  {
    ...measuredDispatch,
    totals: PerformanceTotals,
    sites: Type.Array(OperatorSitePerformance, { description: "Sites in the dispatch." }),
  },
  { $id: "OperatorDispatchPerformance", description: "What the sites of a dispatch deliver or delivered." },
);
export type OperatorDispatchPerformance = Static<typeof OperatorDispatchPerformance>;

export const OperatorSitePerformanceDetail = Type.Object(
  { ...SitePerformanceDetail.properties, site: OperatorSitePerformance },
  {
    $id: "OperatorSitePerformanceDetail",
    description: "Performance of one site with its curves and baseline, and its account.",
  },
);

const sumKw = (description: string, example: number) => nullable(number(`${description}, in kW.`, example));

const PortfolioCell = Type.Object(
  {
    timestamp: moment("End of the interval."),
    sites: integer("Number of sites in the sums.", 12),
    commitment_kw: number("Sum of their commitments in kW; a null commitment counts as 0.", 3000),
    baseline_kw: sumKw("Sum of their baselines", 4940),
    load_kw: sumKw("Sum of their loads; null for the future", 1990),
    reduction_kw: sumKw("Baseline minus load", 2950),
    target_kw: sumKw("Load at which the commitments are met", 1940),
  },
  { $id: "PortfolioCell", description: "Sums over sites in a 30-second interval." },
);

export const PortfolioCurve = Type.Object(
  { ...measuredDispatch, curve: Type.Array(PortfolioCell, { description: curvePeriod }) },
  { $id: "PortfolioCurve", description: "What the sites of a dispatch deliver together, over time." },
);
export type PortfolioCurve = Static<typeof PortfolioCurve>;

export const OperatorPerformancePart = Type.Object(
  {
    ...measuredPart,
    performance: OperatorDispatchPerformance,
    curve: Type.Array(PortfolioCell, { description: `Sums over the sites measured so far. ${curvePeriod}` }),
  },
  {
    $id: "OperatorPerformancePart",
    description:
      "What is measured of a dispatch while the readings of its other sites are loaded. `performance` has the totals of the sites measured so far, and those sites that the events before did not have.",
  },
);
export type OperatorPerformancePart = Static<typeof OperatorPerformancePart>;

export const getDispatchCurve = endpoint({
  id: "getDispatchCurve",
  method: "GET",
  path: "/dispatches/{id}/performance/curve",
  tag: "Performance",
  summary: "Retrieve the curve of all sites in a dispatch",
  description: `Returns sums over the sites that have load and baseline. As in \`totals.now\`, a site counts with its newest interval until that is too old. ${resultRules}`,
  params: byId("dispatch"),
  query: VersionQuery,
  reply: PortfolioCurve,
  notYet: PerformancePreparing,
});

const SiteAt = Type.Object(
  {
    site_id: id("site"),
    timestamp: nullable(
      moment("End of the interval that counts at that moment; null, as the others, if none does.", "now"),
    ),
    load_kw: nullable(number("Mean load, in kW.", 162)),
    baseline_kw: nullable(number("Baseline, in kW.", 412)),
    reduction_kw: nullable(number("Baseline minus load, in kW.", 250)),
  },
  { $id: "SiteAt", description: "What a site delivered at a moment. null means unknown, never zero." },
);

export const SitesAt = Type.Object(
  { ...measuredDispatch, sites: Type.Array(SiteAt, { description: "Sites in the dispatch." }) },
  { $id: "SitesAt", description: "What each site of a dispatch delivered at a moment." },
);
export type SitesAt = Static<typeof SitesAt>;

export const getMomentaryPerformance = endpoint({
  id: "getMomentaryPerformance",
  method: "GET",
  path: "/dispatches/{id}/performance/sites",
  tag: "Performance",
  summary: "Retrieve what each site delivered at a moment",
  description: `Returns for each site the newest interval at that moment with load and baseline, until that is too old, as the curve of all sites adds them up. Readings that arrived later are included. ${resultRules}`,
  params: byId("dispatch"),
  query: Type.Object({
    at: moment("A moment from an hour before the start to an hour after the end that has passed."),
    ...VersionQuery.properties,
  }),
  reply: SitesAt,
  notYet: PerformancePreparing,
});

export const downloadAnyDispatchTable = endpoint({
  id: "downloadAnyDispatchTable",
  method: "GET",
  path: "/dispatches/{id}/performance/table",
  tag: "Performance",
  summary: "Download the intervals of all sites in a dispatch as a file",
  description: `One row per site and interval, site by site: dispatch_id, version, site_id, site_name, account_id, timestamp, local_time, seconds, load_kw, baseline_kw, target_kw, reduction_kw, reduction_kwh, coverage, quality, intervals_missing, intervals_late, intervals_corrected.\n\n${tableRules}\n\n${resultRules}`,
  params: byId("dispatch"),
  query: TableQuery,
  files: tableFiles,
  notYet: PerformancePreparing,
});

export const getAnyDispatchPerformance = endpoint({
  id: "getAnyDispatchPerformance",
  method: "GET",
  path: "/dispatches/{id}/performance",
  tag: "Performance",
  summary: "Retrieve what the sites of a dispatch deliver",
  description: `${resultRules} To follow a dispatch, use the stream.`,
  params: byId("dispatch"),
  query: VersionQuery,
  reply: OperatorDispatchPerformance,
  notYet: PerformancePreparing,
});

export const streamAnyDispatchPerformance = endpoint({
  id: "streamAnyDispatchPerformance",
  method: "GET",
  path: "/dispatches/{id}/performance/stream",
  tag: "Performance",
  summary: "Stream what the sites of a dispatch deliver",
  description: performanceStream,
  params: byId("dispatch"),
  events: {
    preparing: OperatorPerformancePart,
    snapshot: OperatorDispatchPerformance,
    change: OperatorDispatchPerformance,
    failed: PerformanceFailed,
  },
});

const ApprovedResult = Type.Object(
  { dispatch_id: id("dispatch"), versions: resultVersions },
  { $id: "ApprovedResult", description: "The versions of an approved result." },
);

export const approvePerformance = endpoint({
  id: "approvePerformance",
  method: "POST",
  path: "/dispatches/{id}/performance/approve",
  once: "within",
  tag: "Performance",
  summary: "Approve the result of a dispatch",
  description:
    "Makes a version of its own of the newest final result, which no longer changes. Later corrections are listed with it. Approve again to include them. A result that is not final yet, or is not the newest version, gets 400.",
  params: byId("dispatch"),
  body: Type.Object({
    version: version("The newest version, which you have looked at."),
    note: text(NAME_CHARACTERS, "Why it is approved.", "agreed with the account", 1),
  }),
  reply: ApprovedResult,
});

const DecidedResult = Type.Object(
  { dispatch_id: id("dispatch"), site_id: id("site"), versions: resultVersions },
  { $id: "DecidedResult", description: "The versions of a result in which an operator decided about a site." },
);

export const decideSite = endpoint({
  id: "decideSite",
  method: "PUT",
  path: "/dispatches/{id}/sites/{site_id}/decision",
  tag: "Performance",
  summary: "Set how a site counts in a dispatch",
  description:
    "Sets for a site of a dispatch that it is not judged, or that it counts as not delivered, instead of what its readings say: for example after an outage of its data link. Makes a version (`decided`) that says who and why; an approved result stays, and the version is listed with it. The participant sees the reason. `counts` null takes a decision back. A result that is not final yet, or was made by version 1 of the rules, gets 400.",
  params: siteInDispatch,
  body: Type.Object({
    counts: nullable(
      Type.Enum(["not_judged", "not_delivered"], { description: "How the site counts; null: by the rules." }),
    ),
    reason: text(NAME_CHARACTERS, "Why.", "the data link of the building was down", 1),
  }),
  reply: DecidedResult,
});

export const getAnySitePerformance = endpoint({
  id: "getAnySitePerformance",
  method: "GET",
  path: "/dispatches/{id}/sites/{site_id}/performance",
  tag: "Performance",
  summary: "Retrieve the curves of a site in a dispatch",
  description: `Returns load, baseline and target of the site, and how its baseline was computed. ${resultRules}`,
  params: siteInDispatch,
  query: CurveQuery,
  reply: OperatorSitePerformanceDetail,
  otherForms: ["text/csv"],
  notYet: PerformancePreparing,
});
