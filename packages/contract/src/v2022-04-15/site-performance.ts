import Type, { type Static } from "typebox";
import { Commitment, id, integer, moment, nullable, number, siteName, string } from "../values.js";
import { coverage, energies, expected, kw, nullableKwh, nullableRatio, received, seconds } from "./measured-values.js";

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

export const RESULT_COUNTS = ["as_measured", "not_delivered", "not_judged"] as const;

const SiteDecision = Type.Object(
  {
    counts: Type.Enum(["not_delivered", "not_judged"], { description: "How the site counts in the dispatch." }),
    reason: string("Why.", "the data link of the building was down, which its owner had announced"),
    by: string("Who decided. Participants see `operator`.", "operator"),
    at: moment("When it was decided.", "later"),
  },
  { $id: "SiteDecision", description: "What an operator decided about a site of a dispatch." },
);

const ResultQuality = Type.Object(
  {
    counts: Type.Enum([...RESULT_COUNTS], {
      description:
        "How the site counts for factors and penalties. `not_delivered`: as if it had delivered nothing. `not_judged`: neither for it nor against it.",
    }),
    reason: nullable(
      Type.Enum(["readings_missing", "too_new", "no_baseline", "decided"], {
        description:
          "Why it does not count as measured; otherwise null. `readings_missing`: readings of the site itself. `too_new`: it has been enrolled for fewer days than its method needs, and has all readings of the dispatch. `no_baseline`: there is none, for a reason that is not the site's. `decided`: see `decision`.",
      }),
    ),
    gap_days: Type.Array(string("A local date, YYYY-MM-DD.", "2026-06-24"), {
      description: "Days of the look-back that were left out since readings are missing, if there are two or more.",
    }),
    gap_gain_kw: nullable(
      number(
        "By how much the mean baseline is above what it would be with the `gap_days` and the readings that they have, in kW; null if there are no such days, or it is unknown.",
        50,
      ),
    ),
    decision: nullable(SiteDecision),
    words: Type.Array(string("A sentence.", "It counts as not delivered: readings of the site are missing."), {
      description: "The same in words.",
    }),
  },
  {
    $id: "ResultQuality",
    description:
      "How far a result can be relied on; null by the first rules. While a dispatch is in progress, sites count as measured.",
  },
);

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
    quality: nullable(ResultQuality),
  },
  { $id: "SitePerformance", description: "What a site delivers or delivered. null means unknown, never zero." },
);
export type SitePerformance = Static<typeof SitePerformance>;
