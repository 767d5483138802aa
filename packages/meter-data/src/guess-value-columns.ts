import { type Findings, MOST, shown } from "./findings.js";
import { isExportName, isOtherEnergy } from "./guess-sign.js";
import { unitColumnOf, unitOfColumn } from "./guess-unit.js";
import type { Doubt, StatedMapping } from "./mapping.js";
import { looksLikeNumber } from "./number-form.js";
import { type Sample, shareOf } from "./table-sample.js";
import type { UnitName } from "./units.js";
import { hasWord, plain, words } from "./words.js";

/** A column of values as far as its name and its cells show. */
export interface ValueColumn {
  readonly column: number;
  readonly name: string;
  readonly unit: UnitName | null;
  /** Name of its series, if no column names the meter. */
  readonly series: string | null;
}

export interface ValueColumns {
  readonly values: readonly ValueColumn[];
  readonly unitColumn: number | null;
}

/** Finds the columns of load: those whose names have a unit of energy or power, else the only one that may be. */
export const valueColumnsOf = (
  sample: Sample,
  taken: readonly number[],
  { values: stated }: StatedMapping,
  findings: Findings,
): ValueColumns => {
  const columns = sample.names.map((_, at) => at + 1).filter((column) => !taken.includes(column));
  const unitColumn = unitColumnOf(sample, columns);
  const wanted = stated?.flatMap(({ column }) => column ?? []) ?? [];
  const numeric = columns.filter((column) => column !== unitColumn && isNumeric(sample, column));
  const described = (wanted.length > 0 ? wanted : numeric).map((column) => describe(sample, column));
  if (wanted.length > 0) return { values: described, unitColumn };
  const found = chosen(sample, described);
  findings.reasons.push(...reasonsFor(sample, found, unitColumn));
  const question = found.isUnclear ? NO_UNIT : areNamedAlike(found.values) ? SAME_NAME : null;
  if (question === null) return { values: found.values, unitColumn };
  findings.doubts.push(columnDoubt(sample, question, found.values));
  return { values: found.values.slice(0, 1), unitColumn };
};

const NO_UNIT = "Which columns have the values? No name of a column has a unit such as kWh or kW.";
const SAME_NAME = "Which columns have the values? Several have the same name, and may count the same energy.";

const columnDoubt = ({ skipLines }: Sample, question: string, values: readonly ValueColumn[]): Doubt => ({
  line: skipLines + 1,
  member: "values[].column",
  question,
  choices: values.map(({ column, name }) => ({ value: column, meaning: name || `column ${column}` })),
});

const areNamedAlike = (values: readonly ValueColumn[]): boolean => {
  const names = values.flatMap(({ name }) => (name === "" ? [] : [name.toLowerCase()]));
  return new Set(names).size < names.length;
};

const reasonsFor = (sample: Sample, { leftOut, values, why }: ChosenValues, unitColumn: number | null): string[] => [
  ...leftOut.map(({ column, name }) => `column ${column} (${shown(name)}) is left out: ${why}`),
  ...values.map(
    ({ column, name, unit }) =>
      `column ${column} (${shown(name)}): values${unit === null ? "" : ` in ${unit}, as its name says`}`,
  ),
  ...(unitColumn === null
    ? []
    : [`column ${unitColumn} (${shown(sample.names[unitColumn - 1] ?? "")}): the unit of each line`]),
];

interface ChosenValues {
  readonly values: readonly ValueColumn[];
  readonly leftOut: readonly ValueColumn[];
  readonly why: string;
  readonly isUnclear: boolean;
}

const chosen = (sample: Sample, all: readonly ValueColumn[]): ChosenValues => {
  const load = all.filter((each) => mayBeLoad(sample, each));
  const withUnit = load.filter(({ unit }) => unit !== null);
  const isPower = ({ unit }: ValueColumn): boolean => unit !== null && !unit.endsWith("h");
  const energies = withUnit.filter((each) => !isPower(each));
  const powers = withUnit.filter((each) => isPower(each) && !hasWord(each.name, words.extreme));
  const found = { isUnclear: false };
  if (energies.length > 0) {
    const why = "the file has energies, too, which say the same";
    return { ...found, values: energies, leftOut: withUnit.filter(isPower), why };
  }
  if (powers.length === 0) return withoutUnit(load);
  const leftOut = withUnit.filter((each) => !powers.includes(each));
  return { ...found, values: powers, leftOut, why: "it is a maximum or minimum" };
};

const mayBeLoad = (sample: Sample, { name, unit, column }: ValueColumn): boolean =>
  !isOther(name, unit) &&
  !isOther(sample.units[column - 1] ?? "", unit) &&
  (unit !== null || !hasWord(name, words.extreme));

/** Names without a unit are enough for one column that is not only export, or if all have them. */
const withoutUnit = (load: readonly ValueColumn[]): ChosenValues => {
  const named = load.filter(({ name }) =>
    [words.energy, words.export, words.cumulative].some((of) => hasWord(name, of)),
  );
  const values = named.length > 0 && named.length < load.length ? named : load;
  const isEnough = values.length === 1 && !values.every(({ name }) => isExportName(name));
  const isUnclear = load.length > 1 && load.length > named.length && !isEnough;
  const others = load.filter((each) => !named.includes(each));
  return { values: isUnclear ? [...named, ...others] : values, leftOut: [], why: "", isUnclear };
};

const isOther = (name: string, unit: UnitName | null): boolean => {
  if (isOtherEnergy(name)) return true;
  // A unit of energy in its name outweighs words that may mean something else, but not those of money.
  if (unit !== null) return hasWord(name, words.money);
  if (hasWord(name, words.carrier) && !hasWord(name, words.electricity)) return true;
  const short = name.replaceAll(/\([^)]*\)/g, "");
  return hasWord(hasWord(short, words.electric) ? short : name, words.other);
};

const isNumeric = (sample: Sample, column: number): boolean =>
  shareOf(sample.rows, column - 1, (cell) => looksLikeNumber(cell) || words.missing.has(plain(cell))) >= MOST &&
  shareOf(sample.rows, column - 1, looksLikeNumber) > 0 &&
  !isIdentifier(sample, column);

/** Many digits, the same in each line. */
const isIdentifier = ({ rows }: Sample, column: number): boolean => {
  const cells = new Set(rows.map((cells) => cells[column - 1] ?? ""));
  return cells.size * 4 < rows.length + 4 && [...cells].every((cell) => cell === "" || /^\d{7,}$/.test(cell));
};

const describe = (sample: Sample, column: number): ValueColumn => {
  const name = sample.names[column - 1] ?? "";
  return { column, name, unit: unitOfColumn(sample, column), series: seriesName({ name, column }) };
};

/** The name of a series: that of its column without the unit. */
export const seriesName = ({ name, column }: Pick<ValueColumn, "name" | "column">): string => {
  const short = name
    .replace(/\s*[[(]\s*[km]?wh?\s*[\])]\s*$/i, "")
    .replace(/[\s_]+[km]?wh?$/i, "")
    .trim();
  return short || name || `column ${column}`;
};
