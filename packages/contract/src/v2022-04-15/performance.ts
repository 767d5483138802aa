import Type, { type Static } from "typebox";
import { endpoint } from "../endpoint.js";
import { Commitment, id, nullable, Timestamp } from "../values.js";
import { BaselineExplanation } from "./baseline-explanation.js";

const kw = (description: string) => nullable(Type.Number({ description: `${description}, in kW.` }));
const ratio = (description: string) => nullable(Type.Number({ description: `${description}; 1 is 100 %.` }));
const kwh = (description: string) => Type.Number({ description: `${description}, in kWh.` });
const seconds = (description: string) => nullable(Type.Number({ description: `${description}, in seconds.` }));

export const PerformanceStatus = Type.Object(
  {
    colour: Type.Enum(["red", "amber", "green", "blue", "grey"]),
    words: Type.String({ description: "The same in words.", examples: ["below commitment"] }),
  },
  {
    $id: "PerformanceStatus",
    description:
      "How a site stands against its commitment: in the last five minutes, or over all of a dispatch that is over.",
  },
);

const LatestCell = Type.Object(
  {
    timestamp: Timestamp,
    load_kw: Type.Number(),
    baseline_kw: kw("Baseline"),
    target_kw: kw("Load at which the commitment is met: baseline less commitment"),
    reduction_kw: kw("Baseline less load"),
    performance: ratio("Reduction over commitment"),
  },
  { $id: "LatestCell", description: "Newest cell of the dispatch with load." },
);

const Recent = Type.Object(
  {
    cells_expected: Type.Integer(),
    cells_present: Type.Integer(),
    coverage: ratio("Cells present over cells expected"),
    mean_reduction_kw: kw("Mean reduction of the cells present"),
    performance: ratio("Mean reduction over commitment"),
  },
  {
    $id: "RecentPerformance",
    description: "The last five minutes that are due: what `status` is of while a dispatch runs.",
  },
);

const Rebound = Type.Object(
  {
    cells_expected: Type.Integer(),
    cells_present: Type.Integer(),
    peak_kw: kw("Most above baseline"),
    peak_baseline_kw: kw("Baseline at that moment"),
    energy_kwh: kwh("Energy above baseline"),
    time_to_back_seconds: seconds("From the end until the load stays within 5 % of its baseline"),
  },
  { $id: "Rebound", description: "The hour after the end." },
);

const Compliance = Type.Object(
  {
    cells_present: Type.Integer(),
    cells_complying: Type.Integer({ description: "At or below the firm service level." }),
    excess_kwh: kwh("Energy above the level"),
    time_to_compliance_seconds: seconds("From the start to the end of the first cell at or below the level"),
  },
  { $id: "Compliance" },
);

/** What a site delivered. null is undefined or unknown, never zero. */
export const SitePerformance = Type.Object(
  {
    site_id: id("site", "Primary key of the site."),
    name: Type.String(),
    commitment_kw: Commitment,
    drop_by_kw: kw("Equals commitment_kw"),
    status: PerformanceStatus,
    baseline: Type.Enum(["found", "provisional", "none"], {
      description: "provisional: an input that it needs has yet to come. none: `baseline_reason` says why.",
    }),
    baseline_reason: nullable(Type.String()),
    latest: nullable(LatestCell),
    recent: nullable(Recent),
    cells_expected: Type.Integer({
      description:
        "Cells of 30 s from the start until now. Those that the running interval of a meter will bring are not due yet.",
    }),
    cells_present: Type.Integer({ description: "Those that have load and baseline." }),
    coverage: ratio("Cells present over cells expected"),
    mean_reduction_kw: kw("Mean reduction of the cells present"),
    performance: ratio("Mean reduction over commitment; null where the commitment is 0 or null"),
    delivered_energy_kwh: kwh("Sum of reductions"),
    delivered_energy_floored_kwh: kwh("The same, cells below 0 counted as 0"),
    delivered_energy_capped_kwh: nullable(kwh("The same, each cell counted up to the commitment")),
    committed_energy_kwh: nullable(kwh("Commitment times the time expected")),
    share_at_commitment: ratio("Share of the cells present with at least the commitment"),
    time_to_full_seconds: seconds("From the start to the end of the first cell with at least the commitment"),
    time_to_full_held_seconds: seconds("The same for the first that holds it for 300 s"),
    ramp_kw_per_minute: nullable(Type.Number({ description: "From the start to full curtailment." })),
    rebound: nullable(Rebound),
    compliance: nullable(Compliance),
  },
  { $id: "SitePerformance" },
);
export type SitePerformance = Static<typeof SitePerformance>;

const PerformanceSum = Type.Object(
  {
    sites: Type.Integer({ description: "Sites that have a reduction." }),
    reduction_kw: kw("Sum of their reductions"),
    commitment_kw: Type.Number({ description: "Sum of their commitments." }),
    performance: ratio("Sum of reductions over sum of commitments, of sites that have both"),
  },
  { $id: "PerformanceSum" },
);

/** Sums over the sites of a dispatch; never means of percentages. */
export const PerformanceTotals = Type.Object(
  {
    sites: Type.Integer(),
    commitment_kw: Type.Number({ description: "Of all sites, measured or not." }),
    now: PerformanceSum,
    to_date: PerformanceSum,
    coverage: ratio("Cells present over cells expected"),
    delivered_energy_kwh: kwh("Delivered"),
    delivered_energy_floored_kwh: kwh("The same, cells below 0 counted as 0"),
    delivered_energy_capped_kwh: kwh("The same, each cell counted up to the commitment"),
    committed_energy_kwh: kwh("Committed"),
  },
  { $id: "PerformanceTotals" },
);
export type PerformanceTotals = Static<typeof PerformanceTotals>;

/** What is measured, and as of when. */
export const measuredDispatch = {
  dispatch_id: id("dispatch", "Primary key of the dispatch."),
  state: Type.Enum(["upcoming", "in_progress", "ended", "final", "cancelled"], {
    description:
      "ended: inputs may still come. final: nothing changes any more but by late or corrected readings, which make a new version. cancelled, or voided after its end: nobody is judged; what was delivered until the cancellation is shown, of a void dispatch nothing.",
  }),
  as_of: Timestamp,
  version: nullable(Type.Integer({ description: "Of the final result, from 1; null until it is final." })),
  versions: Type.Array(
    Type.Object({
      version: Type.Integer(),
      at: Timestamp,
      reason: Type.Enum(["complete", "overdue", "corrected", "withdrawn"], {
        description:
          "complete: the last input was in. overdue: something is missing and was waited for. corrected: readings came late or were corrected, or an earlier dispatch of the site was voided. withdrawn: the dispatch was voided; this version holds nothing.",
      }),
    }),
    { description: "Final results, oldest first." },
  ),
  start_time: Timestamp,
  end_time: nullable(Timestamp),
  measured_until: Timestamp,
};

export const DispatchPerformance = Type.Object(
  { ...measuredDispatch, totals: PerformanceTotals, sites: Type.Array(SitePerformance) },
  { $id: "DispatchPerformance" },
);
export type DispatchPerformance = Static<typeof DispatchPerformance>;

/** One cell of 30 s. */
const CurveCell = Type.Object(
  {
    timestamp: Timestamp,
    baseline_kw: kw("Baseline"),
    unadjusted_kw: kw("Baseline before its adjustment"),
    load_kw: kw("Load"),
    reduction_kw: kw("Baseline less load"),
    target_kw: kw("Load at which the commitment is met"),
  },
  { $id: "CurveCell" },
);

export const SitePerformanceDetail = Type.Object(
  {
    ...measuredDispatch,
    site: SitePerformance,
    method: Type.Record(Type.String(), Type.Unknown(), { description: "The baseline method with its parameters." }),
    explanation: BaselineExplanation,
    curve: Type.Array(CurveCell, { description: "From an hour before the start to an hour after the end." }),
  },
  { $id: "SitePerformanceDetail" },
);
export type SitePerformanceDetail = Static<typeof SitePerformanceDetail>;

/** Instead of numbers, while a dispatch is read that nobody looked at for a while. */
export const PerformancePreparing = Type.Object(
  {
    dispatch_id: id("dispatch", "Primary key of the dispatch."),
    state: Type.Enum(["preparing"]),
    message: Type.String({ description: "What is awaited, and when to ask again." }),
    progress: Type.Number({ minimum: 0, maximum: 1, description: "Share of the sites that have been read." }),
  },
  {
    $id: "PerformancePreparing",
    description: "The readings that a dispatch is measured from are being read; that goes on whether you ask or not.",
  },
);
export type PerformancePreparing = Static<typeof PerformancePreparing>;

/** The newest unless said. */
export const VersionQuery = Type.Object({
  version: Type.Optional(Type.Integer({ minimum: 1, description: "An earlier final result." })),
});

/** As JSON unless said. */
export const CurveQuery = Type.Object({
  ...VersionQuery.properties,
  format: Type.Optional(Type.Enum(["json", "csv"], { description: "csv: the curve only, one line a cell." })),
});

export const getDispatchPerformance = endpoint({
  id: "getDispatchPerformance",
  method: "GET",
  path: "/dispatches/{id}/performance",
  tag: "Performance",
  summary: "What your sites delivered in a dispatch",
  description: "An extension of the interface: measured for operating a dispatch, not for settling it.",
  params: Type.Object({ id: Type.String({ description: "Dispatch id." }) }),
  query: VersionQuery,
  reply: DispatchPerformance,
  notYet: PerformancePreparing,
});

/** Said at the end of a stream whose dispatch could not be read. */
export const PerformanceFailed = Type.Object(
  { message: Type.String({ description: "What to do." }) },
  { $id: "PerformanceFailed" },
);

/** How streams of what dispatches deliver behave. */
export const performanceStream =
  "Server-sent events: `snapshot` has everything, `change` everything but of the sites only those that changed. Comments in between say that the stream lives. Read on with Last-Event-ID: what changed since is sent as one `change`. A slow reader is sent what changed meanwhile as one event. The first event comes when everything is read, which takes a while for a large dispatch that nobody followed; `failed` says that it could not be read, and ends the stream. The stream ends with the key or session that began it.";

export const streamDispatchPerformance = endpoint({
  id: "streamDispatchPerformance",
  method: "GET",
  path: "/dispatches/{id}/performance/stream",
  tag: "Performance",
  summary: "What your sites deliver in a dispatch, live",
  description: `An extension of the interface. ${performanceStream}`,
  params: Type.Object({ id: Type.String({ description: "Dispatch id." }) }),
  events: { snapshot: DispatchPerformance, change: DispatchPerformance, failed: PerformanceFailed },
});

export const getSitePerformance = endpoint({
  id: "getSitePerformance",
  method: "GET",
  path: "/dispatches/{id}/sites/{site_id}/performance",
  tag: "Performance",
  summary: "The curves of one of your sites in a dispatch, explained",
  description: "An extension of the interface.",
  params: Type.Object({
    id: Type.String({ description: "Dispatch id." }),
    site_id: Type.String({ description: "Site id." }),
  }),
  query: CurveQuery,
  reply: SitePerformanceDetail,
  otherForms: ["text/csv"],
  notYet: PerformancePreparing,
});
