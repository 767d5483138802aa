import type { PerformanceDifference } from "@curtail/contract";
import { say } from "@curtail/words/page";
import { energy, percent, power } from "../format/quantity.js";
import { statusWords } from "./site-status.js";

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
    figure(say("Sites"), String(before.sites), String(after.sites)),
    figure(say("Delivered"), energy(before.delivered_energy_kwh), energy(after.delivered_energy_kwh)),
    figure(say("Performance"), percent(before.to_date.performance), percent(after.to_date.performance)),
  ].filter((each) => each.before !== each.after);

/** Figures of a site that differ. */
export const changedFigures = ({ before, after }: SiteDifference): ChangedFigure[] =>
  [
    figure(say("Status"), resultWords(before), resultWords(after)),
    figure(say("Average reduction"), power(before?.mean_reduction_kw), power(after?.mean_reduction_kw)),
    figure(say("Delivered"), energy(before?.delivered_energy_kwh), energy(after?.delivered_energy_kwh)),
    figure(say("Performance"), percent(before?.performance), percent(after?.performance)),
    figure(say("Coverage"), percent(before?.coverage), percent(after?.coverage)),
  ].filter((each) => each.before !== each.after);

const resultWords = (result: SiteDifference["before"]): string =>
  result === null ? say("no result") : statusWords(result.status);

/** Why a site's results differ, in sentences. */
export const changedInputs = (inputs: Inputs | null): string[] =>
  inputs === null ? [] : [...loadWords(inputs), ...meterWords(inputs), ...dayWords(inputs), ...adjustmentWords(inputs)];

const loadWords = ({ load: { added, removed, changed, energy_kwh } }: Inputs): string[] => {
  return [
    ...(added === 0
      ? []
      : [say("Load arrived for {n, plural, one {# 30-second interval} other {# 30-second intervals}}.", { n: added })]),
    ...(removed === 0
      ? []
      : [
          say("Load of {n, plural, one {# 30-second interval} other {# 30-second intervals}} is no longer known.", {
            n: removed,
          }),
        ]),
    ...(changed === 0
      ? []
      : [
          say(
            "Load of {n, plural, one {# 30-second interval} other {# 30-second intervals}} was corrected, by {energy} in all.",
            { n: changed, energy: energy(energy_kwh) },
          ),
        ]),
  ];
};

const meterWords = ({ meters_added: added, meters_removed: removed }: Inputs): string[] => [
  ...added.map(({ name }) => say("The meter {name} is part of the load.", { name })),
  ...removed.map(({ name }) => say("The meter {name} is no longer part of the load.", { name })),
];

type Use = NonNullable<Inputs["dates"][number]["after"]> | "none";

const uses = (date: string): Readonly<Record<Use, string>> => ({
  chosen: say("{date} is chosen for the baseline.", { date }),
  considered: say("{date} is considered, but not chosen.", { date }),
  event_day: say("{date} is left out: another dispatch took place.", { date }),
  excluded: say("{date} is excluded by hand.", { date }),
  holiday: say("{date} is left out as a holiday.", { date }),
  other_day_type: say("{date} is left out as another type of day.", { date }),
  incomplete: say("{date} is left out, since it lacks readings.", { date }),
  low_usage: say("{date} is left out for its low load.", { date }),
  none: say("{date} is no longer looked at.", { date }),
});

const usesOfCorrected = (date: string): Readonly<Record<Use, string>> => ({
  chosen: say("{date} has corrected load, and is chosen for the baseline.", { date }),
  considered: say("{date} has corrected load, and is considered, but not chosen.", { date }),
  event_day: say("{date} has corrected load, and is left out: another dispatch took place.", { date }),
  excluded: say("{date} has corrected load, and is excluded by hand.", { date }),
  holiday: say("{date} has corrected load, and is left out as a holiday.", { date }),
  other_day_type: say("{date} has corrected load, and is left out as another type of day.", { date }),
  incomplete: say("{date} has corrected load, and is left out, since it lacks readings.", { date }),
  low_usage: say("{date} has corrected load, and is left out for its low load.", { date }),
  none: say("{date} has corrected load, and is no longer looked at.", { date }),
});

const dayWords = ({ dates }: Inputs): string[] => {
  const hasSeveral = new Set(dates.map(({ event_date }) => event_date)).size > 1;
  return dates.map(({ event_date, date, after, corrected }) => {
    const words = (corrected ? usesOfCorrected : uses)(date)[after ?? "none"];
    return hasSeveral ? say("For {date}: {sentence}", { date: event_date, sentence: words }) : words;
  });
};

/** Adjustments of other kinds are shown with what they are computed from, below the result. */
const adjustmentWords = ({ adjustment_before: before, adjustment_after: after }: Inputs): string[] =>
  before === after ? [] : [say("The adjustment of the baseline to the day is another one.")];
