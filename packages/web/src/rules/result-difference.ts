import type { PerformanceDifference } from "@curtail/contract";
import { say } from "@curtail/words/page";
import { counted, energy, percent, power } from "../format/quantity.js";

type SiteDifference = PerformanceDifference["sites"][number];
type Inputs = NonNullable<SiteDifference["inputs"]>;

/** A figure of both versions, as text. */
export interface ChangedFigure {
  readonly name: string;
  readonly before: string;
  readonly after: string;
}

const figure = (name: string, before: string, after: string): ChangedFigure => ({ name, before, after });

/** Totals of both versions that differ. */
export const changedTotals = ({ totals_before: before, totals_after: after }: PerformanceDifference): ChangedFigure[] =>
  [
    figure("Sites", String(before.sites), String(after.sites)),
    figure("Delivered", energy(before.delivered_energy_kwh), energy(after.delivered_energy_kwh)),
    figure("Performance", percent(before.to_date.performance), percent(after.to_date.performance)),
  ].filter((each) => each.before !== each.after);

/** Figures of a site that differ. */
export const changedFigures = ({ before, after }: SiteDifference): ChangedFigure[] =>
  [
    figure("Status", before?.status.words ?? "no result", after?.status.words ?? "no result"),
    figure(say("Average reduction"), power(before?.mean_reduction_kw), power(after?.mean_reduction_kw)),
    figure("Delivered", energy(before?.delivered_energy_kwh), energy(after?.delivered_energy_kwh)),
    figure("Performance", percent(before?.performance), percent(after?.performance)),
    figure("Coverage", percent(before?.coverage), percent(after?.coverage)),
  ].filter((each) => each.before !== each.after);

/** Why a site's results differ, in sentences. */
export const changedInputs = (inputs: Inputs | null): string[] =>
  inputs === null ? [] : [...loadWords(inputs), ...meterWords(inputs), ...dayWords(inputs), ...adjustmentWords(inputs)];

const intervals = (n: number): string => counted(n, "30-second interval");

const loadWords = ({ load: { added, removed, changed, energy_kwh } }: Inputs): string[] => {
  return [
    ...(added === 0 ? [] : [`Load arrived for ${intervals(added)}.`]),
    ...(removed === 0 ? [] : [`Load of ${intervals(removed)} is no longer known.`]),
    ...(changed === 0 ? [] : [`Load of ${intervals(changed)} was corrected, by ${energy(energy_kwh)} in all.`]),
  ];
};

const meterWords = ({ meters_added: added, meters_removed: removed }: Inputs): string[] => [
  ...added.map(({ name }) => `The meter ${name} is part of the load.`),
  ...removed.map(({ name }) => `The meter ${name} is no longer part of the load.`),
];

const uses: Readonly<Record<string, string>> = {
  chosen: "is chosen for the baseline",
  considered: "is considered, but not chosen",
  event_day: "is left out: another dispatch took place",
  excluded: "is excluded by hand",
  holiday: "is left out as a holiday",
  other_day_type: "is left out as another type of day",
  incomplete: "is left out, since it lacks readings",
  low_usage: "is left out for its low load",
};

const dayWords = ({ dates }: Inputs): string[] => {
  const hasSeveral = new Set(dates.map(({ event_date }) => event_date)).size > 1;
  return dates.map(({ event_date, date, after, corrected }) => {
    const use = after === null ? say("is no longer looked at") : uses[after];
    const words = corrected ? `${date} has corrected load, and ${use}.` : `${date} ${use}.`;
    return hasSeveral ? `For ${event_date}: ${words}` : words;
  });
};

/** Adjustments of other kinds are shown with what they are computed from, below the result. */
const adjustmentWords = ({ adjustment_before: before, adjustment_after: after }: Inputs): string[] =>
  before === after ? [] : [say("The adjustment of the baseline to the day is another one.")];
