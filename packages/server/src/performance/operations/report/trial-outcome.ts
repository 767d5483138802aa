import {
  type Accuracy,
  accuracyOf,
  CELL_SECONDS,
  type ComparedLoad,
  cellsOf,
  comparedLoads,
  type LoadSeries,
  meanOver,
  STATUS_LIMITS,
  type TrialDay,
} from "@curtail/measure";
import type { Program } from "../../../portfolio/domain/program.js";
import type { SiteMeasurement } from "../site-measurement.js";

/** A day's load and baseline, or the reason why they were not compared. */
export type TrialOutcome = { readonly date: string } & (
  | { readonly pairs: readonly ComparedLoad[] }
  | { readonly reason: string }
);

interface OutcomeTerms {
  readonly day: TrialDay;
  readonly program: Program;
  readonly intervalSeconds: number;
}

export const outcomeOf = (
  { compared: { baseline, load } }: SiteMeasurement,
  { day, program, intervalSeconds }: OutcomeTerms,
): TrialOutcome => {
  const { date } = day;
  const missing = missingLoad(load, day, (program.statusLimits ?? STATUS_LIMITS).leastCoverage);
  if (missing !== null) return { date, reason: missing };
  if (baseline.state === "none") return { date, reason: baseline.reason };
  const { timezone } = program;
  const pairs = comparedLoads({ load, baseline: baseline.curve, period: day, intervalSeconds, timezone });
  return pairs.length === 0 ? { date, reason: "no interval has both load and a baseline" } : { date, pairs };
};

/** The coverage below which no site is judged is too little for a comparison, too. */
const missingLoad = (load: LoadSeries, day: TrialDay, leastCoverage: number): string | null => {
  const { present, expected } = meanOver(load, cellsOf(day, CELL_SECONDS));
  if (present > 0 && present >= expected * leastCoverage) return null;
  const least = Math.ceil(expected * leastCoverage);
  return `${present} of ${expected} intervals of 30 seconds have readings; at least ${Math.max(1, least)} are required`;
};

/** What the trials of a method found. */
export interface TrialSummary {
  readonly accuracy: Accuracy;
  /** Local days that were compared, latest first. */
  readonly daysTried: readonly string[];
  readonly leftOut: ReadonlyArray<{ readonly date: string; readonly reason: string }>;
}

export const summaryOf = (outcomes: readonly TrialOutcome[]): TrialSummary => {
  const compared = outcomes.filter((outcome) => "pairs" in outcome);
  return {
    accuracy: accuracyOf(compared.map(({ pairs }) => pairs)),
    daysTried: compared.map(({ date }) => date),
    leftOut: outcomes.flatMap((outcome) => ("reason" in outcome ? [outcome] : [])),
  };
};
