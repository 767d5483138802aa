import { type Findings, MOST } from "./findings.js";
import type { Doubt } from "./mapping.js";
import { type Sample, shareOf } from "./table-sample.js";
import { type UnitName, unitNames, unitOf } from "./units.js";
import { hasWord, words } from "./words.js";

/** A unit as a word of its own, but not behind a slash, as in prices. */
const UNIT = /(?<![\p{L}\p{N}/])([km]?wh?)(?![\p{L}\p{N}/])/iu;
const PLURAL_UNIT = /(?<![\p{L}\p{N}/])([km]?wh?)(?:s(?!\p{L}))?(?![\p{L}\p{N}/])/iu;
const CAMEL_UNIT = /(?<=\p{Ll})(kWh|Wh|MWh|kW|KWh|KWH)$/u;

/** The unit of a column by its name, the line of units below it, or the cells. */
export const unitOfColumn = ({ names, units, rows }: Sample, column: number): UnitName | null => {
  const name = names[column - 1] ?? "";
  const inName = unitInName(name) ?? PLURAL_UNIT.exec((units[column - 1] ?? "").replaceAll("_", " "))?.[1];
  const inCells = rows
    .map((cells) => /[kM]?Wh?$/i.exec(cells[column - 1] ?? "")?.[0])
    .find((unit) => unit !== undefined);
  return unitOf(inName ?? inCells ?? "")?.name ?? null;
};

/** Whether the name of a column has its unit. */
export const isUnitNamed = ({ names }: Sample, { column }: { readonly column: number }): boolean =>
  unitInName(names[column - 1] ?? "") !== undefined;

const unitInName = (name: string): string | undefined =>
  PLURAL_UNIT.exec(name.replaceAll("_", " "))?.[1] ?? CAMEL_UNIT.exec(name)?.[1];

/** The first unit that these texts have. */
export const unitNamedIn = (texts: readonly string[]): UnitName | null => {
  const found = texts.map((text) => UNIT.exec(text.replaceAll("_", " "))?.[1]);
  return unitOf(found.find((each) => each !== undefined) ?? "")?.name ?? null;
};

/** Column of units: `W` alone may be anything, such as a status. */
export const unitColumnOf = ({ names, rows }: Sample, columns: readonly number[]): number | null =>
  columns.find((column) => {
    const name = names[column - 1] ?? "";
    const pattern =
      name === "" || hasWord(name, words.unit) ? /^[kmg]?(?:wh?|varh?|vah?)$/i : /^[km](?:wh?|varh?|vah?)$/i;
    return shareOf(rows, column - 1, (cell) => pattern.test(cell)) >= MOST;
  }) ?? null;

/** The only unit that the lines above the header name. */
export const titleUnit = ({ titles }: Sample, { reasons }: Findings): UnitName | null => {
  const found = titles.flatMap((title) =>
    [...title.matchAll(new RegExp(UNIT, "giu"))].flatMap(([, unit = ""]) => unitOf(unit)?.name ?? []),
  );
  const [unit, ...others] = new Set(found);
  if (unit === undefined || others.length > 0 || unit === "W") return null;
  reasons.push(`values are in ${unit}, as the lines above the header say`);
  return unit;
};

export const unitDoubt = (
  line: number,
  { column, name }: { readonly column: number; readonly name: string },
): Doubt => ({
  line,
  member: "values[].unit",
  column,
  question: `In which unit are the values of column ${column}${name === "" ? "" : ` ("${name.slice(0, 60)}")`}? Neither the header nor the lines name it.`,
  choices: unitNames.map((unit) => ({ value: unit, meaning: unit })),
});
