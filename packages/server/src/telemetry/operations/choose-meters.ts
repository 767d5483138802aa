import type { Series } from "@curtail/meter-data";
import { quote } from "../../platform/quote.js";
import type { Meter } from "../../portfolio/domain/site.js";

/** Which meters a file is for. */
export interface MeterChoice {
  /** Meter of every series without an own choice; null: by name. */
  readonly meterId: string | null;
  /** By the name of the series; null: it is left out. */
  readonly bySeries: ReadonlyMap<string, string | null>;
}

export interface ChosenSeries {
  readonly series: Series;
  /** null: left out, or there is a fault. */
  readonly meter: Meter | null;
}

type Report = (line: number, message: string) => void;

/** Finds the meter of each series: the one chosen for it, or the site's meter of its name or id. */
export const chooseMeters = (
  all: readonly Series[],
  meters: readonly Meter[],
  choice: MeterChoice,
  report: Report,
): ChosenSeries[] => {
  for (const name of choice.bySeries.keys()) {
    if (!all.some((series) => series.name === name))
      report(1, `a meter is chosen for the series "${quote(name)}", which the file does not have; correct its name`);
  }
  return all.map((series) => ({ series, meter: meterOf({ series, all, meters, choice }, report) }));
};

interface Choosing {
  readonly series: Series;
  readonly all: readonly Series[];
  readonly meters: readonly Meter[];
  readonly choice: MeterChoice;
}

const meterOf = ({ series, all, meters, choice }: Choosing, report: Report): Meter | null => {
  const wanted = choice.bySeries.has(series.name) ? choice.bySeries.get(series.name) : (choice.meterId ?? undefined);
  if (wanted === null) return null;
  const line = series.intervals.line[0] ?? 1;
  if (wanted !== undefined) {
    const found = meters.find(({ id }) => id === wanted) ?? null;
    if (found === null)
      report(
        line,
        `${shown(series)} is to go to ${quote(wanted)}, which is no meter of the site; give one of its meters`,
      );
    return found;
  }
  const named = meters.filter(({ id, name }) => id === series.name || name === series.name);
  const [first, ...others] = named.length === 0 && all.length === 1 && meters.length === 1 ? meters : named;
  if (first !== undefined && others.length === 0) return first;
  const why = first === undefined ? "the site has no meter of this name" : "the site has several meters of this name";
  report(line, `${shown(series)}: ${why}; choose its meter with series, or leave it out with none`);
  return null;
};

const shown = ({ name }: Series): string => `the series "${quote(name)}"`;
