import type { participantConsole } from "@curtail/contract";
import { say } from "@curtail/words/page";
import type { Bar } from "../../../chart/bar-chart.js";
import { energy, percent } from "../../../format/quantity.js";
import { barName, isPartial, within } from "../../../rules/energy-bars.js";

type Bars = participantConsole.EnergyBars;

/** A dispatch that is marked at the bars that it overlaps. */
export interface MarkedDispatch {
  readonly id: string;
  readonly start_time: string;
  readonly end_time: string | null;
  readonly program: { readonly name: string };
}

/** The bars with their names, marks and words. */
export const barsOf = (energyBars: Bars, others: Bars | null, dispatches: readonly MarkedDispatch[]): Bar[] =>
  energyBars.bars.map((bar, index) => {
    const other = others?.bars[index]?.energy_kwh ?? null;
    const marked = within(dispatches, bar);
    return {
      key: bar.start_time,
      label: barName(bar.start_time, energyBars.by, energyBars.timezone),
      name: barName(bar.start_time, energyBars.by, energyBars.timezone, true),
      value: bar.energy_kwh,
      ...(others === null ? {} : { other }),
      isGap: bar.energy_kwh === null && bar.coverage !== null,
      isPartial: isPartial(bar.coverage),
      isMarked: marked.length > 0,
      words: wordsOf(energyBars, bar, { other: others === null ? null : other, marked }),
    };
  });

const wordsOf = (
  { by, timezone }: Bars,
  { start_time, energy_kwh, coverage }: Bars["bars"][number],
  { other, marked }: { readonly other: number | null; readonly marked: readonly MarkedDispatch[] },
): string =>
  [
    `${barName(start_time, by, timezone, true)}: ${energy_kwh === null ? (coverage === null ? say("to come") : say("no readings")) : energy(energy_kwh)}`,
    ...(energy_kwh !== null && isPartial(coverage)
      ? [say("{share} of the interval covered", { share: percent(coverage) })]
      : []),
    ...(other === null ? [] : [say("compared with {energy}", { energy: energy(other) })]),
    ...marked.map(({ program }) => say("dispatch {program}", { program: program.name }, "noun")),
  ].join(", ");
