import type { Findings, Survey } from "./guess-time.js";
import type { Mapping, StatedMapping, ValueMapping } from "./mapping.js";
import { looksLikeNumber, numberReader } from "./number-form.js";
import { type Sample, shareOf } from "./table-sample.js";
import { type UnitName, unitOf } from "./units.js";
import { hasWord, plain, words } from "./words.js";

const MOST = 0.9;
/** A register that never falls looks like a load that never falls, which is rare over so many rows. */
const ROWS_TO_DOUBT = 5;
const RISES_TO_DOUBT = 2;
/** So many values, each so much larger than the largest step between two, that never fall: no load does that. */
const ROWS_TO_BE_SURE = 48;
const STEPS_IN_REGISTER = 20;

/** A column of values as far as its name and its cells tell. */
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
  { reasons, doubts }: Findings,
): ValueColumns => {
  const columns = sample.names.map((_, at) => at + 1).filter((column) => !taken.includes(column));
  const unitColumn = unitColumnOf(sample, columns);
  const wanted = stated?.flatMap(({ column }) => column ?? []) ?? [];
  const numeric = columns.filter((column) => column !== unitColumn && isNumeric(sample, column));
  const described = (wanted.length > 0 ? wanted : numeric).map((column) => describe(sample, column));
  if (wanted.length > 0) return { values: described, unitColumn };
  const found = chosen(sample, described);
  for (const { column, name } of found.leftOut)
    reasons.push(`column ${column} (${shown(name)}) is left out: ${found.why}`);
  for (const { column, name, unit } of found.values)
    reasons.push(`column ${column} (${shown(name)}): values${unit === null ? "" : ` in ${unit}, as its name says`}`);
  if (unitColumn !== null)
    reasons.push(`column ${unitColumn} (${shown(sample.names[unitColumn - 1] ?? "")}): the unit of each line`);
  const isUnclear = found.isUnclear || areNamedAlike(found.values);
  if (isUnclear)
    doubts.push({
      line: sample.skipLines + 1,
      member: "values[].column",
      question: found.isUnclear
        ? "Which columns have the values? No name of a column has a unit such as kWh or kW."
        : "Which columns have the values? Several have the same name, and may count the same energy.",
      choices: found.values.map(({ column, name }) => ({ value: column, meaning: name || `column ${column}` })),
    });
  return { values: isUnclear ? found.values.slice(0, 1) : found.values, unitColumn };
};

const areNamedAlike = (values: readonly ValueColumn[]): boolean => {
  const names = values.flatMap(({ name }) => (name === "" ? [] : [name.toLowerCase()]));
  return new Set(names).size < names.length;
};

const shown = (name: string): string => (name === "" ? "without a name" : `"${name.slice(0, 60)}"`);

interface ChosenValues {
  readonly values: readonly ValueColumn[];
  readonly leftOut: readonly ValueColumn[];
  readonly why: string;
  readonly isUnclear: boolean;
}

const chosen = (sample: Sample, all: readonly ValueColumn[]): ChosenValues => {
  const load = all.filter(
    ({ name, unit, column }) =>
      !isOther(name, unit) &&
      !isOther(sample.units[column - 1] ?? "", unit) &&
      (unit !== null || !hasWord(name, words.extreme)),
  );
  const withUnit = load.filter(({ unit }) => unit !== null);
  const isPower = ({ unit }: ValueColumn): boolean => unit !== null && !unit.endsWith("h");
  const energies = withUnit.filter((each) => !isPower(each));
  const powers = withUnit.filter((each) => isPower(each) && !hasWord(each.name, words.extreme));
  if (energies.length > 0)
    return {
      values: energies,
      leftOut: withUnit.filter(isPower),
      why: "the file has energies, too, which say the same",
      isUnclear: false,
    };
  if (powers.length > 0)
    return {
      values: powers,
      leftOut: withUnit.filter((each) => !powers.includes(each)),
      why: "it is a maximum or minimum",
      isUnclear: false,
    };
  const named = load.filter(({ name }) =>
    [words.energy, words.export, words.cumulative].some((of) => hasWord(name, of)),
  );
  const values = named.length > 0 && named.length < load.length ? named : load;
  // Names without a unit are enough for one column that is not only export, or if all have them.
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

/** Gas, or heat, though it is counted in kWh. */
export const isOtherEnergy = (name: string): boolean =>
  hasWord(name, words.otherEnergy) && !hasWord(name, words.electric);

/** Column of units: `W` alone may be anything, such as a status. */
export const unitColumnOf = ({ names, rows }: Sample, columns: readonly number[]): number | null =>
  columns.find((column) => {
    const name = names[column - 1] ?? "";
    const pattern =
      name === "" || hasWord(name, words.unit) ? /^[kmg]?(?:wh?|varh?|vah?)$/i : /^[km](?:wh?|varh?|vah?)$/i;
    return shareOf(rows, column - 1, (cell) => pattern.test(cell)) >= MOST;
  }) ?? null;

const isNumeric = (sample: Sample, column: number): boolean =>
  shareOf(sample.rows, column - 1, (cell) => looksLikeNumber(cell) || words.missing.has(plain(cell))) >= MOST &&
  shareOf(sample.rows, column - 1, looksLikeNumber) > 0 &&
  !isIdentifier(sample, column);

/** Many digits, the same in each line. */
const isIdentifier = ({ rows }: Sample, column: number): boolean => {
  const cells = new Set(rows.map((cells) => cells[column - 1] ?? ""));
  return cells.size * 4 < rows.length + 4 && [...cells].every((cell) => cell === "" || /^\d{7,}$/.test(cell));
};

/** A unit as a word of its own, but not behind a slash, as in prices. */
const UNIT = /(?<![\p{L}\p{N}/])([km]?wh?)(?:s(?!\p{L}))?(?![\p{L}\p{N}/])/iu;
const CAMEL_UNIT = /(?<=\p{Ll})(kWh|Wh|MWh|kW|KWh|KWH)$/u;

const describe = ({ names, units, rows }: Sample, column: number): ValueColumn => {
  const name = names[column - 1] ?? "";
  const spaced = name.replaceAll("_", " ");
  const inName =
    UNIT.exec(spaced)?.[1] ??
    CAMEL_UNIT.exec(name)?.[1] ??
    UNIT.exec((units[column - 1] ?? "").replaceAll("_", " "))?.[1];
  const inCells = rows
    .map((cells) => /[kM]?Wh?$/i.exec(cells[column - 1] ?? "")?.[0])
    .find((unit) => unit !== undefined);
  return { column, name, unit: unitOf(inName ?? inCells ?? "")?.name ?? null, series: seriesName({ name, column }) };
};

/** The name of a series: that of its column without the unit. */
export const seriesName = ({ name, column }: Pick<ValueColumn, "name" | "column">): string => {
  const short = name
    .replace(/\s*[[(]\s*[km]?wh?\s*[\])]\s*$/i, "")
    .replace(/[\s_]+[km]?wh?$/i, "")
    .trim();
  return short || name || `column ${column}`;
};

type Form = Pick<Mapping, "decimal" | "thousands">;

const cellsOfValues = function* (
  survey: Survey,
  columns: readonly number[],
): Generator<{ text: string; line: number }> {
  for (const { cells, line } of survey.rows())
    for (const column of columns) {
      const text = cells[column - 1] ?? "";
      if (text !== "") yield { text, line };
    }
};

/** `1,234`, if the mark is a comma. */
const hasThree = (text: string, mark: string): boolean => new RegExp(`^[+-]?\\d{1,3}\\${mark}\\d{3}$`).test(text);

/** Finds the sign of decimals and that between thousands. `1,234` alone may be either: the whole file may tell. */
export const numberFormOf = (
  columns: readonly number[],
  survey: Survey,
  line: number,
  { reasons, doubts }: Findings,
): Form => {
  let example = "";
  let sign: "," | "." | null = null;
  let spaces: " " | "'" | "" = "";
  let isSure = false;
  for (const { text } of cellsOfValues(survey, columns)) {
    const cell = text
      .replace(/\s*[kM]?Wh?$/i, "")
      .replaceAll(/[\u00a0\u202f]/g, " ")
      .replaceAll("’", "'");
    if (/^\d{1,3}([ '])\d{3}/.test(cell)) spaces = cell.includes("'") ? "'" : " ";
    const [, last] = /([.,])[^.,]*$/.exec(cell) ?? [];
    if (last === undefined) continue;
    const other = last === "," ? "." : ",";
    if (cell.includes(other)) {
      reasons.push(`"${cell.slice(0, 30)}": "${other}" is between thousands, "${last}" before decimals`);
      return { decimal: last as "," | ".", thousands: other };
    }
    const count = cell.split(last).length - 1;
    if (count > 1) {
      sign = other;
      example = cell;
      isSure = true;
      break;
    }
    sign ??= last as "," | ".";
    if (sign !== last) {
      // 1,234 and 12.5: the comma is between thousands.
      const decimal = hasThree(cell, last) ? sign : last;
      return { decimal: decimal as "," | ".", thousands: decimal === "," ? "." : "," };
    }
    if (example === "") example = cell;
    if (!/^[+-]?[1-9]\d{0,2}[.,]\d{3}$/.test(cell)) isSure = true;
    // A point with other than three digits may be followed by a comma between thousands in larger values only.
    if (isSure && sign === ",") break;
  }
  if (sign === null) return { decimal: ".", thousands: spaces };
  if (isSure && example.split(sign === "," ? "." : ",").length > 2)
    return { decimal: sign, thousands: sign === "," ? "." : "," };
  if (!isSure && spaces === "")
    doubts.push({
      line,
      member: "decimal",
      question: `"${example.slice(0, 30)}": is "${sign}" before decimals or between thousands? All values have three digits behind it.`,
      choices: [
        { value: sign, meaning: `${example} is ${example.replace(sign, ".")}` },
        { value: sign === "," ? "." : ",", meaning: `${example} is ${example.replace(sign, "")}` },
      ],
    });
  return { decimal: sign, thousands: spaces };
};

/** Whether values of energy are those of intervals or the readings of a register, which never falls. */
export const kindOf = (
  { column, name, unit }: ValueColumn,
  meters: readonly number[],
  survey: Survey,
  form: Form,
  { reasons, doubts }: Findings,
): ValueMapping["kind"] => {
  if (unit !== null && !unit.endsWith("h")) return "power";
  const isNamed = hasWord(name, words.cumulative) || /meter ?reading|total[ _]increasing/i.test(name);
  const number = numberReader(form);
  let [rows, rises, falls, line] = [0, 0, 0, 1];
  let [first, largest] = [0, 0];
  const last = new Map<string, number>();
  for (const { cells, line: at } of survey.rows()) {
    const value = number(cells[column - 1] ?? "");
    if (value === null || Number.isNaN(value)) continue;
    if (rows === 0) [line, first] = [at, value];
    rows += 1;
    const meter = meters.map((each) => cells[each - 1] ?? "").join(":");
    const before = last.get(meter) ?? Number.NaN;
    last.set(meter, value);
    largest = Math.max(largest, Math.abs(value - before) || 0);
    if (value > before) rises += 1;
    if (value < before) falls += 1;
    if (!isNamed && falls > 0 && rises > 0) return "energy";
  }
  const [down, up] = [Math.min(falls, rises), Math.max(falls, rises)];
  if (isNamed && rows > 1 && down * 50 <= up) {
    reasons.push(`column ${column} (${shown(name)}): readings of a register, as its name says, and they rise`);
    return "cumulative";
  }
  if (!isNamed && rows >= ROWS_TO_BE_SURE && up >= RISES_TO_DOUBT && first > STEPS_IN_REGISTER * largest) {
    reasons.push(
      `column ${column} (${shown(name)}): readings of a register, since its ${rows} values rise by little and never fall`,
    );
    return "cumulative";
  }
  const isHigh = down === 0 && up > 0 && first > STEPS_IN_REGISTER * largest;
  if (!isNamed && !isHigh && (rows < ROWS_TO_DOUBT || up < RISES_TO_DOUBT)) return "energy";
  doubts.push({
    line,
    member: "values[].kind",
    question: isNamed
      ? `${shown(name)} is named like a register, but its values rise and fall: are they energies of intervals?`
      : `${shown(name)} has ${rows} values that never fall: are they readings of a register, or energies of intervals?`,
    choices: [
      { value: "energy", meaning: "the energy of each interval" },
      { value: "cumulative", meaning: "readings of a register, whose differences are energies" },
    ],
  });
  return isNamed ? "energy" : "cumulative";
};

/** By words, or by the codes of registers. */
export const isExportName = (name: string): boolean =>
  hasWord(name, words.export) || /(?<![\p{L}\d])(?:A-|-A)(?![\p{L}\d])|(?<!\d)2\.8\.\d/u.test(name);

/** The sign by the name of a column: energy into the grid is export, unless its values are negative already. */
export const signOf = (
  { column, name }: ValueColumn,
  survey: Survey,
  form: Form,
  findings: Findings,
): ValueMapping["sign"] => {
  if (!isExportName(name)) return "load";
  const number = numberReader(form);
  let isPositive = false;
  for (const { text } of cellsOfValues(survey, [column])) {
    const value = number(text) ?? 0;
    if (value < 0) return "load";
    isPositive ||= value > 0;
  }
  // Nights have no sun: the sign is told by the first value that has one.
  if (!isPositive && !survey.isWhole) findings.isOpen = true;
  findings.reasons.push(`${shown(name)} is energy into the grid by its name, so it is negative`);
  return "export";
};
