import type { Series } from "@curtail/meter-data";
import { foldedName } from "../../platform/near-match.js";
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

/** Finds the meter of each series: the one chosen for it, or the site's meter of its id or name. */
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
  const named = meters.map((meter) => ({ meter, folded: foldedName(meter.name) }));
  const meant = new Map<Series, Meant>();
  for (const series of all) if (wantedFor(series, choice) === undefined) meant.set(series, meantBy(series, named));
  return all.map((series) => ({ series, meter: meterOf({ series, all, meters, choice, meant }, report) }));
};

/** The meters that a series names, and whether by their exact id or name alone. */
interface Meant {
  readonly meters: readonly Meter[];
  readonly isExact: boolean;
}

interface Choosing {
  readonly series: Series;
  readonly all: readonly Series[];
  readonly meters: readonly Meter[];
  readonly choice: MeterChoice;
  /** By the series that no meter is chosen for. */
  readonly meant: ReadonlyMap<Series, Meant>;
}

/** Id of the meter that is chosen for a series; null: it is left out. undefined: none is chosen. */
const wantedFor = ({ name }: Series, { meterId, bySeries }: MeterChoice): string | null | undefined =>
  bySeries.has(name) ? bySeries.get(name) : (meterId ?? undefined);

const meterOf = (choosing: Choosing, report: Report): Meter | null => {
  const { series, meters, choice } = choosing;
  const wanted = wantedFor(series, choice);
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
  const found = meterMeant(choosing);
  if (typeof found !== "string") return found;
  report(line, `${shown(series)}: ${found}; choose its meter with series, or leave it out with none`);
  return null;
};

/** The meter that a series names, or why there is none. */
const meterMeant = ({ series, all, meters, meant }: Choosing): Meter | string => {
  const { meters: named, isExact } = meant.get(series) ?? { meters: [], isExact: false };
  const [first, ...others] = named.length === 0 && all.length === 1 && meters.length === 1 ? meters : named;
  if (first === undefined) return "the site has no meter of this name";
  if (others.length > 0) return "the site has several meters of this name";
  // Two meters of the file are not added up because their names look alike.
  const isAlone = [...meant.values()].filter((each) => each.meters.includes(first)).length <= 1;
  return isExact || isAlone ? first : `the file has several meters of the name "${quote(first.name)}"`;
};

interface NamedMeter {
  readonly meter: Meter;
  readonly folded: string;
}

/**
 * The meters of the id or name of a series; else of the name that it has besides, as a file of the energy of another site has
 * it; else of almost the same name (G70).
 */
const meantBy = ({ name: own, description }: Series, named: readonly NamedMeter[]): Meant => {
  const found = (isMeant: (each: NamedMeter) => boolean) => named.filter(isMeant).map(({ meter }) => meter);
  const exact = found(({ meter }) => meter.id === own || meter.name === own);
  if (exact.length > 0) return { meters: exact, isExact: true };
  const besides = spellings(description);
  const described = found(({ meter }) => besides.includes(meter.name));
  if (described.length > 0) return { meters: described, isExact: false };
  const folds = [...spellings(own), ...besides].map(foldedName);
  return { meters: found(({ folded }) => folds.includes(folded)), isExact: false };
};

/** A name as the file has it, and without the apostrophe that files of energy put before one that a spreadsheet would compute. */
const spellings = (text: string | null): string[] =>
  text === null ? [] : [...new Set([text, text.replace(/^'(?=\s*[=+\-@＝＋－＠\t\r])/u, "")])];

const shown = ({ name }: Series): string => `the series "${quote(name)}"`;
