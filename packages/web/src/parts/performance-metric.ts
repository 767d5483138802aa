import type { SitePerformance } from "@curtail/contract";
import { say } from "@curtail/words/page";
import { NUMBER_LOCALE } from "../format/locale.js";
import { count, energy, percent, power } from "../format/quantity.js";
import { duration } from "../format/time.js";

export interface Metric {
  readonly name: string;
  readonly value: string;
  readonly meaning: string;
}

export interface MetricGroup {
  readonly title: string;
  readonly metrics: readonly Metric[];
}

const NOTHING = "–";
const seconds = (s: number | null): string =>
  s === null ? say("not yet") : s === 0 ? say("immediately") : duration(s * 1000);

const metric = (name: string, value: string, meaning: string): Metric => ({ name, value, meaning });

/** Measurements of a site in groups, as text. If the dispatch is not judged, only delivered values. */
export const metricGroups = (site: SitePerformance, isJudged: boolean): MetricGroup[] => {
  if (!isJudged) return [{ title: say("Until the cancellation"), metrics: delivered(site) }];
  return [
    { title: say("Over the dispatch"), metrics: toDate(site) },
    { title: say("Energy"), metrics: energies(site) },
    { title: say("Response"), metrics: speed(site) },
    ...(site.rebound === null ? [] : [{ title: say("Hour after the end"), metrics: afterwards(site.rebound) }]),
    ...(site.compliance === null ? [] : [{ title: say("Firm service level"), metrics: compliance(site.compliance) }]),
  ];
};

const delivered = (site: SitePerformance): Metric[] => [
  metric(say("Average reduction"), power(site.mean_reduction_kw), say("Average of baseline minus load")),
  metric(say("Delivered"), energy(site.delivered_energy_kwh), say("Sum of all reductions")),
];

const toDate = (site: SitePerformance): Metric[] => [
  metric(say("Commitment"), power(site.commitment_kw), say("Committed reduction")),
  metric(say("Average reduction"), power(site.mean_reduction_kw), say("Average of baseline minus load")),
  metric(say("Performance"), percent(site.performance), say("Average reduction as a share of the commitment")),
  ...(site.recent === null
    ? []
    : [
        metric(
          say("Last five minutes"),
          percent(site.recent.performance),
          say("Performance now; determines the status"),
        ),
      ]),
  metric(say("At commitment"), percent(site.share_at_commitment), say("Share of time at or above the commitment")),
  metric(
    say("Coverage"),
    percent(site.coverage),
    say("{n} of {all} expected 30-second intervals received", {
      n: count(site.cells_present),
      all: count(site.cells_expected),
    }),
  ),
];

const energies = (site: SitePerformance): Metric[] => [
  metric(say("Delivered"), energy(site.delivered_energy_kwh), say("Sum of all reductions")),
  metric(
    say("Without increases"),
    energy(site.delivered_energy_floored_kwh),
    say("Load above the baseline counts as zero"),
  ),
  metric(
    say("Up to the commitment"),
    energy(site.delivered_energy_capped_kwh),
    say("Reduction beyond the commitment is not counted"),
  ),
  metric(say("Committed"), energy(site.committed_energy_kwh), say("Commitment × time so far")),
];

const perMinute = new Intl.NumberFormat(NUMBER_LOCALE, { minimumFractionDigits: 1, maximumFractionDigits: 1 });

const speed = (site: SitePerformance): Metric[] => [
  metric(
    say("Time to full reduction"),
    seconds(site.time_to_full_seconds),
    say("From the start until the commitment was reached"),
  ),
  metric(
    say("Time to sustained full reduction"),
    seconds(site.time_to_full_held_seconds),
    say("From the start until reached and held for five minutes"),
  ),
  metric(
    say("Ramp", {}, "noun"),
    site.ramp_kw_per_minute === null ? NOTHING : `${perMinute.format(site.ramp_kw_per_minute)} kW/min`,
    say("Rate from the start to the full commitment"),
  ),
];

const afterwards = (rebound: NonNullable<SitePerformance["rebound"]>): Metric[] => [
  metric(
    say("Peak", {}, "noun"),
    power(rebound.peak_kw),
    say("Highest load above the baseline, which was {power} then", { power: power(rebound.peak_baseline_kw) }),
  ),
  metric(say("Energy above baseline"), energy(rebound.energy_kwh), say("Energy made up for after the dispatch")),
  metric(
    say("Back to normal"),
    seconds(rebound.time_to_back_seconds),
    say("From the end until the load stayed within 5 % of the baseline"),
  ),
];

const compliance = (level: NonNullable<SitePerformance["compliance"]>): Metric[] => [
  metric(
    say("Complying", {}, "intervals"),
    say("{n} of {all}", { n: count(level.cells_complying), all: count(level.cells_present) }),
    say("30-second intervals at or below the level"),
  ),
  metric(say("Energy above the level"), energy(level.excess_kwh), say("Energy used above the level")),
  metric(
    say("Time to compliance"),
    seconds(level.time_to_compliance_seconds),
    say("From the start until at or below the level"),
  ),
];
