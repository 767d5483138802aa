import { quoted, Unreadable } from "./fault-list.js";
import { type Guess, guessMapping } from "./guess.js";
import { headersIn } from "./header-places.js";
import type { KeptProfile, UsedProfile } from "./kept-profile.js";
import type { Mapping, StatedMapping, ValueMapping } from "./mapping.js";
import { isSameZone } from "./zone.js";

/** What is known of a table beforehand. */
export interface TableStatement {
  readonly timezone: string | null;
  readonly mapping: StatedMapping;
  /** The profile that is stated; null: none. */
  readonly profile: KeptProfile | null;
  /** Profiles of which the first with the header of the file is used, newest first. */
  readonly kept: readonly KeptProfile[];
}

/** What a table is read by, before the rest is guessed. */
export interface Stated {
  readonly mapping: StatedMapping;
  readonly profile: UsedProfile | null;
  /** Why there is a profile. */
  readonly reasons: readonly string[];
}

export interface ProfiledGuess extends Guess {
  readonly profile: UsedProfile | null;
}

/**
 * The profile that is stated, or the newest with the header of a table, and what is stated besides, which goes before it.
 * Throws `Unreadable` if its time zone is another than the one that is stated.
 *
 * @param lines the first of the file
 */
export const statedFor = (lines: readonly string[], { timezone, mapping, profile, kept }: TableStatement): Stated => {
  const headers = headersIn(lines);
  const fitting = kept.filter((each) => headers.placeOf(each) !== null);
  const chosen = profile ?? fitting[0];
  if (chosen === undefined) return { mapping: zoned(mapping, timezone), profile: null, reasons: [] };
  refuseOtherZone(chosen, mapping, timezone);
  const place = headers.placeOf(chosen);
  const used: UsedProfile = {
    name: chosen.name,
    chosenBy: profile === null ? "header" : "name",
    others: fitting.filter((each) => each !== chosen).map(({ name }) => name),
  };
  return {
    mapping: zoned(merged({ ...chosen.mapping, ...place }, mapping), timezone),
    profile: used,
    reasons: reasonsOf(used, chosen.header === null || place !== null),
  };
};

/** Guesses what is not stated. Throws `Unreadable` if the file does not have the columns of the profile. */
export const guessStated = (
  lines: readonly string[],
  { mapping, profile, reasons }: Stated,
  isWhole: boolean,
): ProfiledGuess | null => {
  const guess = guessMapping(lines, mapping, isWhole);
  if (profile === null) return guess === null ? null : { ...guess, profile };
  if (guess === null) {
    const at = lines.findIndex((line) => line.trim() !== "");
    if (at < 0) return null;
    throw misfit(profile, at + 1, "does not fit: no line has a time and a value in its columns");
  }
  const missing = columnsOf(guess.mapping).find(({ column }) => column > guess.width);
  if (missing !== undefined)
    throw misfit(
      profile,
      guess.mapping.skip_lines + 1,
      `takes ${missing.what} from column ${missing.column}, and the file has ${guess.width} columns`,
    );
  return { ...guess, profile, reasons: [...reasons, ...guess.reasons] };
};

const misfit = ({ name }: UsedProfile, line: number, why: string): Unreadable =>
  new Unreadable(
    line,
    `the profile ${quoted(name)} ${why}; state another profile, or none to have the columns guessed`,
  );

const reasonsOf = ({ name, chosenBy, others }: UsedProfile, hasHeader: boolean): string[] => [
  chosenBy === "header"
    ? `the mapping is the profile ${quoted(name)}, which has the header of the file`
    : `the mapping is the profile ${quoted(name)}, which is stated`,
  ...(hasHeader ? [] : ["the header of the file is not that of the profile"]),
  ...others.slice(0, 1).map((other) => `the profile ${quoted(other)} has the same header, and is older`),
];

const refuseOtherZone = (
  { name, mapping: { time } }: KeptProfile,
  stated: StatedMapping,
  zone: string | null,
): void => {
  const own = time?.zone ?? null;
  const isStated = stated.time?.zone !== undefined && stated.time.zone !== null;
  if (zone === null || own === null || isStated || isSameZone(own, zone)) return;
  throw new Unreadable(
    1,
    `the profile ${quoted(name)} has times in ${quoted(own)}, and the time zone ${quoted(zone)} is stated; state that of the profile, or the zone of this file with mapping ${JSON.stringify({ time: { zone } })} and the profile by its name`,
  );
};

const zoned = (mapping: StatedMapping, timezone: string | null): StatedMapping => ({
  ...mapping,
  time: { ...mapping.time, zone: mapping.time?.zone ?? timezone },
});

/** Members that are stated go before those of a profile. */
const merged = (kept: StatedMapping, stated: StatedMapping): StatedMapping => ({
  ...kept,
  ...stated,
  time: { ...kept.time, ...stated.time },
  values: valuesOf(kept.values, stated.values),
  matrix:
    isObject(kept.matrix) && isObject(stated.matrix)
      ? { ...kept.matrix, ...stated.matrix }
      : (stated.matrix ?? kept.matrix),
  leave_out: { ...kept.leave_out, ...stated.leave_out },
});

type StatedValues = StatedMapping["values"];

/** A value without a column is about all of them. */
const valuesOf = (kept: StatedValues, stated: StatedValues): StatedValues => {
  const [all, ...others] = stated ?? [];
  if (all === undefined) return kept;
  const isAboutAll = all.column === undefined && others.length === 0 && kept !== undefined;
  return isAboutAll ? kept.map((value) => ({ ...value, ...all })) : stated;
};

const isObject = <T>(value: T | null | undefined): value is T => value !== null && value !== undefined;

interface TakenColumn {
  readonly what: string;
  readonly column: number;
}

const columnsOf = (mapping: Mapping): TakenColumn[] => [
  ...mapping.time.columns.map((column) => ({ what: "the times", column })),
  ...mapping.time.end_columns.map((column) => ({ what: "the ends of intervals", column })),
  ...mapping.values.map((value) => ({ what: valueWords(value), column: lastOf(value, mapping) })),
  ...mapping.meter_columns.map((column) => ({ what: "the meters", column })),
  ...Object.entries({
    "the names of meters": mapping.meter_name_column,
    "the units": mapping.unit_column,
    "the lengths of intervals": mapping.seconds_column,
    "the coverage": mapping.coverage_column,
    "the quality": mapping.quality_column,
  }).flatMap(([what, column]) => (column === null ? [] : [{ what, column }])),
];

const valueWords = ({ name }: ValueMapping): string => (name === null ? "the values" : `the values of ${quoted(name)}`);

/** Of a matrix, the last of its columns. */
const lastOf = ({ column }: ValueMapping, { matrix }: Mapping): number => column + (matrix?.columns ?? 1) - 1;
