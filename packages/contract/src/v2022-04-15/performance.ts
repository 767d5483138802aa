import Type, { type Static } from "typebox";
import { endpoint } from "../endpoint.js";
import { byId, id, integer, number, ratio, string, version } from "../values.js";
import { measuredDispatch } from "./measured-dispatch.js";
import { coverage, energies, kw, nullableKwh, nullableRatio } from "./measured-values.js";
import { SitePerformance } from "./site-performance.js";
import { SitePerformanceDetail } from "./site-performance-detail.js";

const PerformanceSum = Type.Object(
  {
    sites: integer("Sites that have a reduction.", 12),
    reduction_kw: kw("Sum of their reductions", 2950),
    commitment_kw: number("Sum of their commitments, in kW.", 3000),
    performance: nullableRatio("Sum of reductions divided by sum of commitments, over sites that have both", 0.983),
  },
  { $id: "PerformanceSum", description: "Sums over the measured sites: now, or from the start to date." },
);

/** Totals of the sites of a dispatch; never means of percentages. */
export const PerformanceTotals = Type.Object(
  {
    sites: integer("Sites in the dispatch.", 12),
    commitment_kw: number("Sum of the commitments of all sites, measured or not, in kW.", 3000),
    now: PerformanceSum,
    to_date: PerformanceSum,
    coverage,
    ...energies,
    delivered_energy_capped_kwh: nullableKwh("Delivered energy, with each interval counted up to the commitment", 241),
    committed_energy_kwh: nullableKwh("Committed energy", 250),
  },
  { $id: "PerformanceTotals", description: "Sums over the sites of the dispatch." },
);
export type PerformanceTotals = Static<typeof PerformanceTotals>;

export const DispatchPerformance = Type.Object(
  {
    ...measuredDispatch,
    totals: PerformanceTotals,
    sites: Type.Array(SitePerformance, { description: "Your sites in the dispatch." }),
  },
  { $id: "DispatchPerformance", description: "What your sites deliver or delivered in a dispatch." },
);
export type DispatchPerformance = Static<typeof DispatchPerformance>;

/** Body of the 202 while the readings of a dispatch are loaded. */
export const PerformancePreparing = Type.Object(
  {
    dispatch_id: id("dispatch"),
    state: Type.Enum(["preparing"], { description: "Always `preparing`." }),
    message: string("What is being prepared, and when to ask again.", "readings are being loaded; ask again in 2 s"),
    progress: ratio("Share of the sites whose readings are loaded.", 0.4, { minimum: 0, maximum: 1 }),
  },
  {
    $id: "PerformancePreparing",
    description: "The readings of the dispatch are being loaded. Loading continues whether you ask again or not.",
  },
);
export type PerformancePreparing = Static<typeof PerformancePreparing>;

/** Query of every result: the newest version by default. */
export const VersionQuery = Type.Object({
  version: Type.Optional(version("Version of the final result. Default: the one that applies.")),
});

/** Query of a curve: JSON by default. */
export const CurveQuery = Type.Object({
  ...VersionQuery.properties,
  format: Type.Optional(
    Type.Enum(["json", "csv"], { description: "`csv`: only the curve, one row per interval. Default: `json`." }),
  ),
});

/** Lengths of the intervals of a dispatch's table, in seconds. */
const TABLE_SECONDS = [30, 300, 900, 1800, 3600] as const;

/** Query of the table of a dispatch. */
export const TableQuery = Type.Object({
  ...VersionQuery.properties,
  interval_seconds: Type.Optional(
    Type.Enum([...TABLE_SECONDS], { description: "Length of the intervals in seconds. Default: 300." }),
  ),
  format: Type.Optional(Type.Enum(["csv", "parquet"], { description: "Format of the file. Default: `csv`." })),
});

/** What the table of a dispatch contains. */
export const tableRules =
  "From the start of the dispatch to its end, or until now. Intervals are cut by the local clock of the program, the first and the last by the dispatch; `seconds` is their length in it. `timestamp` is the end of the interval in UTC, `local_time` the same in the time zone of the program. `load_kw`, `baseline_kw`, `target_kw` and `reduction_kw` are means over the 30-second intervals that have load and, if the site has a baseline, a baseline; `coverage` is their share of those due, and `reduction_kwh` their energy. Nothing is filled.\n\n`quality` is `measured`; `late`: readings arrived after the first version of the result; `corrected`: a reading differs from an earlier version; `partial`: some readings are missing; `gap`: all are. The worst counts. `intervals_missing`, `intervals_late` and `intervals_corrected` count 30-second intervals.\n\nCSV has at most 20,000,000 rows, Parquet 3,000,000; beyond that the reply is 400. In CSV, an apostrophe precedes names that a spreadsheet would take for a formula.";

/** The types of files with tables. */
export const tableFiles = ["text/csv", "application/vnd.apache.parquet"];

/** Path parameters of a site within a dispatch. */
export const siteInDispatch = Type.Object({ id: id("dispatch"), site_id: id("site") });

/** Rules that apply to every result of a dispatch. */
export const resultRules =
  "While the dispatch is in progress the result is that of now; afterwards it is the final result. If the readings must be loaded first, the reply is 202 with a Retry-After.";

const isExtension = "An extension of the interface, meant for operations and not for settlement.";

export const getDispatchPerformance = endpoint({
  id: "getDispatchPerformance",
  method: "GET",
  path: "/dispatches/{id}/performance",
  tag: "Performance",
  summary: "Retrieve what your sites deliver in a dispatch",
  description: `${isExtension} ${resultRules}`,
  params: byId("dispatch"),
  query: VersionQuery,
  reply: DispatchPerformance,
  notYet: PerformancePreparing,
});

/** Data of the event that ends a stream whose dispatch could not be loaded. */
export const PerformanceFailed = Type.Object(
  { message: string("What to do.", "the readings could not be loaded; connect again later") },
  { $id: "PerformanceFailed", description: "The readings of the dispatch could not be loaded; the stream ends." },
);

/** Members of what is measured while a dispatch is loaded. */
export const measuredPart = {
  measured_sites: integer("Number of sites measured so far. The totals are theirs.", 400),
  sites: integer("Number of sites that will be measured.", 1000),
};

export const PerformancePart = Type.Object(
  {
    ...measuredPart,
    performance: DispatchPerformance,
  },
  {
    $id: "PerformancePart",
    description:
      "What is measured of a dispatch while the readings of its other sites are loaded. `performance` has the totals of the sites measured so far, and those sites that the events before did not have.",
  },
);
export type PerformancePart = Static<typeof PerformancePart>;

/** How streams of performance behave. */
export const performanceStream =
  "A stream of server-sent events. `snapshot` carries the whole result. `change` carries the whole result with only those sites that have changed. `failed` means that the readings could not be loaded, and ends the stream.\n\nLoading the readings of a large dispatch may take a while. Meanwhile `preparing` carries what is measured so far: at most seven times, however many sites there are. `snapshot` follows once all is measured, and replaces it. Reconnect with Last-Event-ID to get what has changed since as one `change`. A slow reader gets several changes as one event. Comments keep the connection alive. The stream ends when its key or session does.";

export const streamDispatchPerformance = endpoint({
  id: "streamDispatchPerformance",
  method: "GET",
  path: "/dispatches/{id}/performance/stream",
  tag: "Performance",
  summary: "Stream what your sites deliver in a dispatch",
  description: `${isExtension}\n\n${performanceStream}`,
  params: byId("dispatch"),
  events: {
    preparing: PerformancePart,
    snapshot: DispatchPerformance,
    change: DispatchPerformance,
    failed: PerformanceFailed,
  },
});

export const downloadDispatchTable = endpoint({
  id: "downloadDispatchTable",
  method: "GET",
  path: "/dispatches/{id}/performance/table",
  tag: "Performance",
  summary: "Download the intervals of your sites in a dispatch as a file",
  description: `${isExtension} One row per site and interval, site by site: dispatch_id, version, site_id, site_name, timestamp, local_time, seconds, load_kw, baseline_kw, target_kw, reduction_kw, reduction_kwh, coverage, quality, intervals_missing, intervals_late, intervals_corrected.\n\n${tableRules}\n\n${resultRules}`,
  params: byId("dispatch"),
  query: TableQuery,
  files: tableFiles,
  notYet: PerformancePreparing,
});

export const getSitePerformance = endpoint({
  id: "getSitePerformance",
  method: "GET",
  path: "/dispatches/{id}/sites/{site_id}/performance",
  tag: "Performance",
  summary: "Retrieve the curves of one of your sites in a dispatch",
  description: `${isExtension} Returns load, baseline and target of the site, and how its baseline was computed. ${resultRules}`,
  params: siteInDispatch,
  query: CurveQuery,
  reply: SitePerformanceDetail,
  otherForms: ["text/csv"],
  notYet: PerformancePreparing,
});
