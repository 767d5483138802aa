import { type Findings, shown } from "./findings.js";
import type { Doubt, ValueMapping } from "./mapping.js";
import { type NumberForm, numberReader } from "./number-form.js";
import { cellsIn, type Survey } from "./survey.js";
import { type Sample, splitOf } from "./table-sample.js";
import { hasWord, tokensOf, words } from "./words.js";

/** `Netzeinspeisung`, `Gesamtertrag`. */
const COMPOUND = /(?:einspeisung|erzeugung|ertrag|produktion)$/;
/** `A-` and 2.8.0 of registers, `TotWhOut` of devices. */
const CODE = /(?<![\p{L}\d])(?:A-|-A)(?![\p{L}\d])|(?<!\d)2\.8\.\d|(?<=W)h(?:Out|Exp)(?!\p{Ll})/u;
const FEED_IN = /(?<!\p{L})feed[ _-]in(?!\p{L})/iu;

/** By words, or by the codes of registers. */
export const isExportName = (name: string): boolean =>
  hasWord(name, words.export) || isCompound(name) || FEED_IN.test(name) || CODE.test(name);

const isCompound = (name: string): boolean => tokensOf(name).some((word) => COMPOUND.test(word));

export const isLoadName = (name: string): boolean => hasWord(name, words.load);

/** Gas, or heat, though it is counted in kWh. */
export const isOtherEnergy = (name: string): boolean =>
  hasWord(name, words.otherEnergy) && !hasWord(name, words.electric);

interface Column {
  readonly column: number;
  readonly name: string;
}

/**
 * The sign by the name of a column: energy into the grid is export, unless the sum of its values is negative already. It is
 * asked where the name says both, or where only a line above the header speaks of production.
 */
export const signOf = (
  value: Column,
  { sample, survey, form }: { readonly sample: Sample; readonly survey: Survey; readonly form: NumberForm },
  findings: Findings,
): ValueMapping["sign"] => {
  const { name } = value;
  const isNamed = isExportName(name);
  const why = isNamed && isLoadName(name) ? name : titleThatDecides(value, sample);
  // The next file may have other titles above its header, and values that are negative already.
  findings.assumed.add(`values[${value.column}].sign`);
  if (!isNamed && why === null) return "load";
  const { sum, hasNegative } = sumOf(value, survey, form);
  // Nights have no sun, and a device in standby uses a little.
  if (!survey.isWhole && (sum === 0 || hasNegative)) findings.isOpen = true;
  if (sum < 0) {
    if (isNamed) findings.reasons.push(`${shown(name)} ${NEGATIVE_ALREADY}`);
    return "load";
  }
  if (why === null) findings.reasons.push(`${shown(name)} is energy into the grid by its name, so it is negative`);
  else findings.doubts.push(signDoubt(sample.skipLines + 1, value, why));
  return "export";
};

/** After the name of what is export. */
export const NEGATIVE_ALREADY =
  "is energy into the grid by its name, and its values are negative already, so they stay as they are";

const sumOf = (
  { column }: Column,
  survey: Survey,
  form: NumberForm,
): { readonly sum: number; readonly hasNegative: boolean } => {
  const number = numberReader(form);
  let [sum, hasNegative] = [0, false];
  for (const text of cellsIn(survey, [column])) {
    const value = number(text) ?? Number.NaN;
    if (Number.isNaN(value)) continue;
    sum += value;
    hasNegative ||= value < 0;
  }
  return { sum, hasNegative };
};

/** What above the header speaks of production, where the name of the column says nothing; null: nothing does. */
export const titleThatDecides = (value: Column, sample: Sample): string | null =>
  isExportName(value.name) || isLoadName(value.name) ? null : titleOfProduction(value, sample);

/** The text above the header, in the column or alone in its line, and speaks of production; null: nothing does. */
const titleOfProduction = ({ column }: Column, { titles, delimiter }: Sample): string | null => {
  const said = titles.flatMap((title) => {
    const cells = splitOf(title, delimiter);
    const isAlone = cells.slice(1).every((cell) => cell === "");
    return cells[isAlone ? 0 : column - 1] ?? [];
  });
  return said.find((text) => isProduction(text) && !isLoadName(text)) ?? null;
};

const isProduction = (text: string): boolean =>
  hasWord(text, words.production) || isCompound(text) || FEED_IN.test(text) || CODE.test(text);

const signDoubt = (line: number, { column, name }: Column, why: string): Doubt => ({
  line,
  member: "values[].sign",
  column,
  question: `Are the values of column ${column} (${shown(name)}) consumption or production? "${why.slice(0, 60)}" ${why === name ? "says both" : "above the header speaks of production"}.`,
  choices: SIGNS,
});

/** About a series whose lines or header name it, among others of its column. */
export const seriesSignDoubt = (line: number, { column, name }: Column): Doubt => ({
  line,
  member: "values[].sign",
  column,
  question: `Are the values of the series ${shown(name)} consumption or production? Its name says both. The answer is about each series of column ${column}: if others are of the other direction, change this name in the file instead.`,
  choices: SIGNS,
});

const SIGNS: Doubt["choices"] = [
  { value: "load", meaning: "consumption, or energy from the grid" },
  { value: "export", meaning: "production, or energy into the grid" },
];
