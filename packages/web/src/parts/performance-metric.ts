import type { SitePerformance } from "@curtail/contract";
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
const seconds = (s: number | null): string => (s === null ? "not yet" : s === 0 ? "at once" : duration(s * 1000));

const metric = (name: string, value: string, meaning: string): Metric => ({ name, value, meaning });

/** Everything that is measured of a site, in groups, ready to be read; unjudged, only what was delivered. */
export const metricGroups = (site: SitePerformance, isJudged: boolean): MetricGroup[] => {
  if (!isJudged) return [{ title: "Until the cancellation", metrics: delivered(site) }];
  return [
    { title: "Over the dispatch", metrics: toDate(site) },
    { title: "Energy", metrics: energies(site) },
    { title: "How fast", metrics: speed(site) },
    ...(site.rebound === null ? [] : [{ title: "The hour after", metrics: afterwards(site.rebound) }]),
    ...(site.compliance === null ? [] : [{ title: "Firm service level", metrics: compliance(site.compliance) }]),
  ];
};

const delivered = (site: SitePerformance): Metric[] => [
  metric("Mean reduction", power(site.mean_reduction_kw), "Baseline less load, on average"),
  metric("Delivered", energy(site.delivered_energy_kwh), "Sum of all reductions"),
];

const toDate = (site: SitePerformance): Metric[] => [
  metric("Commitment", power(site.commitment_kw), "What was promised"),
  metric("Mean reduction", power(site.mean_reduction_kw), "Baseline less load, on average"),
  metric("Performance", percent(site.performance), "Mean reduction over the dispatch, of the commitment"),
  ...(site.recent === null
    ? []
    : [metric("Last five minutes", percent(site.recent.performance), "The same of now: what the status is of")]),
  metric("At commitment", percent(site.share_at_commitment), "Share of the time with all of it"),
  metric(
    "Coverage",
    percent(site.coverage),
    `${count(site.cells_present)} of ${count(site.cells_expected)} half-minutes that are due are known`,
  ),
];

const energies = (site: SitePerformance): Metric[] => [
  metric("Delivered", energy(site.delivered_energy_kwh), "Sum of all reductions"),
  metric("Without increases", energy(site.delivered_energy_floored_kwh), "Times above the baseline count nothing"),
  metric("Up to the commitment", energy(site.delivered_energy_capped_kwh), "What went beyond counts nothing"),
  metric("Committed", energy(site.committed_energy_kwh), "Commitment times the time so far"),
];

const speed = (site: SitePerformance): Metric[] => [
  metric("Time to full", seconds(site.time_to_full_seconds), "From the start until all of it was there"),
  metric("Time to full, held", seconds(site.time_to_full_held_seconds), "Until it stayed there for five minutes"),
  metric(
    "Ramp",
    site.ramp_kw_per_minute === null ? NOTHING : `${site.ramp_kw_per_minute.toFixed(1)} kW/min`,
    "From the start to all of it",
  ),
];

const afterwards = (rebound: NonNullable<SitePerformance["rebound"]>): Metric[] => [
  metric("Peak", power(rebound.peak_kw), `Most above the baseline, which was ${power(rebound.peak_baseline_kw)} then`),
  metric("Energy above baseline", energy(rebound.energy_kwh), "What was caught up"),
  metric("Back to normal", seconds(rebound.time_to_back_seconds), "Until it stayed within 5 % of the baseline"),
];

const compliance = (level: NonNullable<SitePerformance["compliance"]>): Metric[] => [
  metric(
    "Complying",
    `${count(level.cells_complying)} of ${count(level.cells_present)}`,
    "Half-minutes at or below the level",
  ),
  metric("Energy above the level", energy(level.excess_kwh), "What was used too much"),
  metric("Time to compliance", seconds(level.time_to_compliance_seconds), "From the start until below the level"),
];
