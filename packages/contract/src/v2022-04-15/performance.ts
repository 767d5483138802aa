import Type, { type Static } from "typebox";
import { endpoint } from "../endpoint.js";
import {
  byId,
  Commitment,
  id,
  integer,
  meterName,
  moment,
  nullable,
  number,
  ratio,
  siteName,
  string,
} from "../values.js";
import { BaselineExplanation } from "./baseline-explanation.js";
import { dispatchEnd, dispatchStart } from "./dispatch.js";

// The names of members say "cell" for an interval of 30 s; they are part of the interface.
const kw = (description: string, example: number) => nullable(number(`${description}, in kW.`, example));
const nullableRatio = (description: string, example: number) => nullable(ratio(`${description}.`, example));
const kwh = (description: string, example: number) => number(`${description}, in kWh.`, example);
const nullableKwh = (description: string, example: number) => nullable(kwh(description, example));
const seconds = (description: string, example: number) => nullable(number(`${description}, in seconds.`, example));

const expected = integer("30-second intervals expected.", 120);
const received = integer("30-second intervals received.", 118);
const coverage = nullableRatio("Received intervals divided by expected intervals", 0.983);

export const PerformanceStatus = Type.Object(
  {
    colour: Type.Enum(["red", "amber", "green", "blue", "grey"], {
      description:
        "Code of the status. `red`: well below commitment. `amber`: below commitment. `green`: on commitment. `blue`: well above commitment. `grey`: not judged, or not enough data.",
    }),
    words: string("The status in words.", "well below commitment"),
  },
  {
    $id: "PerformanceStatus",
    description:
      "Performance status of a site against its commitment: over the last five minutes while the dispatch is in progress, over the whole dispatch afterwards.",
  },
);

const LatestCell = Type.Object(
  {
    timestamp: moment("End of the interval."),
    load_kw: number("Mean load, in kW.", 162),
    baseline_kw: kw("Baseline", 412),
    target_kw: kw("Load at which the commitment is met: baseline minus commitment", 162),
    reduction_kw: kw("Baseline minus load", 250),
    performance: nullableRatio("Reduction divided by commitment", 1),
  },
  { $id: "LatestCell", description: "The newest 30-second interval of the dispatch with load; null if there is none." },
);

const Recent = Type.Object(
  {
    cells_expected: integer("30-second intervals expected.", 10),
    cells_present: integer("30-second intervals received.", 10),
    coverage,
    mean_reduction_kw: kw("Mean reduction of the received intervals", 248),
    performance: nullableRatio("Mean reduction divided by commitment", 0.992),
  },
  {
    $id: "RecentPerformance",
    description:
      "Performance over the five minutes up to the newest reading, which `status` rates while the dispatch is in progress; null before the start and after the end.",
  },
);

const Rebound = Type.Object(
  {
    cells_expected: expected,
    cells_present: received,
    peak_kw: kw("Largest excess of load over baseline", 40),
    peak_baseline_kw: kw("Baseline at the peak", 405),
    energy_kwh: nullableKwh("Energy above the baseline", 12.5),
    time_to_back_seconds: seconds("Time from the end until the load stays within 5 % of its baseline", 600),
  },
  { $id: "Rebound", description: "Load above the baseline in the hour after the end; null before the end." },
);

const Compliance = Type.Object(
  {
    cells_present: received,
    cells_complying: integer("30-second intervals at or below the firm service level.", 116),
    excess_kwh: nullableKwh("Energy above the firm service level", 1.5),
    time_to_compliance_seconds: seconds("Time from the start to the end of the first complying interval", 90),
  },
  {
    $id: "Compliance",
    description: "Compliance with a firm service level; null for sites that are measured against a baseline.",
  },
);

const energies = {
  delivered_energy_kwh: nullableKwh("Delivered energy: sum of the reductions; null if nothing was received", 244),
  delivered_energy_floored_kwh: nullableKwh("Delivered energy, with intervals below 0 counted as 0", 244),
};

/** What a site delivered. null means undefined or unknown, never zero. */
export const SitePerformance = Type.Object(
  {
    site_id: id("site"),
    name: siteName,
    commitment_kw: Commitment,
    drop_by_kw: kw("Equal to `commitment_kw`", 250),
    status: PerformanceStatus,
    baseline: Type.Enum(["found", "provisional", "none"], {
      description:
        "`provisional`: an input is still missing, so the baseline may change. `none`: there is no baseline; `baseline_reason` says why.",
    }),
    baseline_reason: nullable(
      string(
        "Why there is no baseline, or why it is provisional; null otherwise.",
        "no earlier day has enough readings",
      ),
    ),
    latest: nullable(LatestCell),
    recent: nullable(Recent),
    cells_expected: integer(
      "30-second intervals from the start until now that are due. The current interval of a meter is not due before it is over.",
      120,
    ),
    cells_present: integer(
      "Expected intervals that have both load and baseline; under a firm service level, those that have load.",
      118,
    ),
    coverage,
    mean_reduction_kw: kw("Mean reduction of the received intervals", 248),
    performance: nullableRatio("Mean reduction divided by commitment; null if the commitment is 0 or null", 0.992),
    ...energies,
    delivered_energy_capped_kwh: nullableKwh("Delivered energy, with each interval counted up to the commitment", 241),
    committed_energy_kwh: nullableKwh("Committed energy: commitment times the expected time, to the second", 250),
    share_at_commitment: nullableRatio(
      "Share of the received intervals that meet the commitment; null if that is 0 or null",
      0.95,
    ),
    time_to_full_seconds: seconds(
      "Time from the start to the end of the first interval that meets the commitment",
      240,
    ),
    time_to_full_held_seconds: seconds("The same for the first that is followed by 300 s at the commitment", 300),
    ramp_kw_per_minute: nullable(number("Ramp from the start to full curtailment, in kW per minute.", 62.5)),
    rebound: nullable(Rebound),
    compliance: nullable(Compliance),
  },
  { $id: "SitePerformance", description: "What a site delivers or delivered. null means unknown, never zero." },
);
export type SitePerformance = Static<typeof SitePerformance>;

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

export const ResultVersion = Type.Object(
  {
    version: integer("Version of the result, from 1.", 1),
    at: moment("When the version was stored.", "later"),
    standing: Type.Enum(["standing", "superseded", "beside"], {
      description:
        "`standing`: the result of the dispatch. `superseded`: a later version stands. `beside`: it is later than the one that stands, since that was approved or the time for corrections was over; it changes nothing.",
    }),
    by: nullable(string("Who made it by hand; null if the service did. Participants see `operator`.", "operator")),
    note: nullable(string("Why it was made by hand; null otherwise.", "agreed with the account")),
    reason: Type.Enum(["complete", "overdue", "corrected", "event_days", "excluded_days", "approved", "withdrawn"], {
      description:
        "`complete`: all inputs had arrived. `overdue`: an input was awaited and did not arrive. `corrected`: readings arrived late or were corrected. `event_days`: an earlier dispatch of the site was recorded, changed or voided later. `excluded_days`: an operator excluded a day of the look-back from baselines, or lets it count again. `approved`: an operator approved the version before; it does not change any more. `withdrawn`: the dispatch was voided; the version is empty.",
    }),
  },
  { $id: "ResultVersion", description: "A version of the final result of a dispatch." },
);

export const resultVersions = Type.Array(ResultVersion, { description: "Versions of the final result, oldest first." });

/** The first members of every reply about the performance of a dispatch. */
export const measuredDispatch = {
  dispatch_id: id("dispatch"),
  state: Type.Enum(["upcoming", "in_progress", "ended", "final", "cancelled"], {
    description:
      "`ended`: readings may still arrive. `final`: only late or corrected readings change the result, as a new version. `cancelled`: cancelled, or voided after its end; sites are not judged. What was delivered until the cancellation is shown; a void dispatch shows nothing.",
    examples: ["in_progress"],
  }),
  as_of: moment("When the result was computed."),
  version: nullable(integer("Version of the final result, from 1; null until the result is final.", 1)),
  versions: resultVersions,
  start_time: dispatchStart,
  end_time: dispatchEnd,
  measured_until: moment("End of the measured period: now, or the end of the dispatch."),
};

export const DispatchPerformance = Type.Object(
  {
    ...measuredDispatch,
    totals: PerformanceTotals,
    sites: Type.Array(SitePerformance, { description: "Your sites in the dispatch." }),
  },
  { $id: "DispatchPerformance", description: "What your sites deliver or delivered in a dispatch." },
);
export type DispatchPerformance = Static<typeof DispatchPerformance>;

/** From an hour before the start to an hour after the end. */
export const curvePeriod = "30-second intervals from an hour before the start to an hour after the end.";

const CurveCell = Type.Object(
  {
    timestamp: moment("End of the interval."),
    baseline_kw: kw("Baseline", 412),
    unadjusted_kw: kw("Baseline before its adjustment", 405),
    load_kw: kw("Mean load", 162),
    reduction_kw: kw("Baseline minus load", 250),
    target_kw: kw("Load at which the commitment is met", 162),
    quality: nullable(
      Type.Enum(["measured", "late", "corrected", "gap"], {
        description:
          "Quality of the load, compared with earlier versions of the result. `gap`: no reading. `corrected`: an earlier version has another value. `late`: an earlier version has none. null while it is not due.",
        examples: ["measured"],
      }),
    ),
  },
  { $id: "CurveCell", description: "A 30-second interval of a site." },
);

const namedMeter = { meter_id: id("meter"), name: meterName };

const MeasuredMeters = Type.Object(
  {
    summed: Type.Array(Type.Object(namedMeter), { description: "Meters whose sum is the load." }),
    left_out: Type.Array(
      Type.Object({
        ...namedMeter,
        reason: Type.Enum(["not_named", "behind_poi", "silent", "younger_than_look_back"], {
          description:
            "`not_named`: the operator has named other meters. `behind_poi`: the point of interconnection measures it, too. `silent`: no reading in the seven days before the start. `younger_than_look_back`: its first reading is later than the days that the baseline uses.",
        }),
      }),
      { description: "Meters that are part of neither load nor baseline." },
    ),
  },
  {
    $id: "MeasuredMeters",
    description: "Meters that the result is measured by. null in results from before this was recorded.",
  },
);

export const SitePerformanceDetail = Type.Object(
  {
    ...measuredDispatch,
    site: SitePerformance,
    meters: nullable(MeasuredMeters),
    preset: nullable(
      string("Id of the preset that the method is from; null for a method with parameters of its own.", "high_4_of_5"),
    ),
    method: Type.Record(Type.String(), Type.Unknown(), {
      description: "The baseline method with its parameters.",
      examples: [{ kind: "flat", kw: 412 }],
    }),
    steps: Type.Array(
      Type.Enum(["pool", "choice", "average", "adjustment", "no_less_than_zero", "window", "agreed", "reduction"]),
      {
        description:
          "Steps in the order in which they were computed. `pool`: the days that could be chosen. `choice`: those that are. `average`: their mean in each interval. `adjustment`: to the load of the window. `no_less_than_zero`: lower values become 0. `window`: the mean of the load just before. `agreed`: a constant. `reduction`: baseline minus load. Without a baseline the steps end where there was none.",
        examples: [["pool", "choice", "average", "adjustment", "no_less_than_zero", "reduction"]],
      },
    ),
    explanation: BaselineExplanation,
    curve: Type.Array(CurveCell, { description: curvePeriod }),
  },
  { $id: "SitePerformanceDetail", description: "Performance of one site with its curves and baseline." },
);
export type SitePerformanceDetail = Static<typeof SitePerformanceDetail>;

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
  version: Type.Optional(integer("Version of the final result. Default: the one that stands.", 1, { minimum: 1 })),
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

/** How streams of performance behave. */
export const performanceStream =
  "A stream of server-sent events. `snapshot` carries the whole result. `change` carries the whole result with only those sites that have changed. `failed` means that the readings could not be loaded, and ends the stream.\n\nThe first event follows once all readings are loaded, which may take a while for a large dispatch. Reconnect with Last-Event-ID to get what has changed since as one `change`. A slow reader gets several changes as one event. Comments keep the connection alive. The stream ends when its key or session does.";

export const streamDispatchPerformance = endpoint({
  id: "streamDispatchPerformance",
  method: "GET",
  path: "/dispatches/{id}/performance/stream",
  tag: "Performance",
  summary: "Stream what your sites deliver in a dispatch",
  description: `${isExtension}\n\n${performanceStream}`,
  params: byId("dispatch"),
  events: { snapshot: DispatchPerformance, change: DispatchPerformance, failed: PerformanceFailed },
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
