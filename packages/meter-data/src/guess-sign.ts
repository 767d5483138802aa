import { type Findings, shown } from "./findings.js";
import type { ValueMapping } from "./mapping.js";
import { type NumberForm, numberReader } from "./number-form.js";
import { cellsIn, type Survey } from "./survey.js";
import { hasWord, words } from "./words.js";

/** By words, or by the codes of registers. */
export const isExportName = (name: string): boolean =>
  hasWord(name, words.export) || /(?<![\p{L}\d])(?:A-|-A)(?![\p{L}\d])|(?<!\d)2\.8\.\d/u.test(name);

/** Gas, or heat, though it is counted in kWh. */
export const isOtherEnergy = (name: string): boolean =>
  hasWord(name, words.otherEnergy) && !hasWord(name, words.electric);

/** The sign by the name of a column: energy into the grid is export, unless its values are negative already. */
export const signOf = (
  { column, name }: { readonly column: number; readonly name: string },
  survey: Survey,
  form: NumberForm,
  findings: Findings,
): ValueMapping["sign"] => {
  if (!isExportName(name)) return "load";
  const number = numberReader(form);
  let isPositive = false;
  for (const text of cellsIn(survey, [column])) {
    const value = number(text) ?? 0;
    if (value < 0) return "load";
    isPositive ||= value > 0;
  }
  // Nights have no sun: the sign is told by the first value that has one.
  if (!isPositive && !survey.isWhole) findings.isOpen = true;
  findings.reasons.push(`${shown(name)} is energy into the grid by its name, so it is negative`);
  return "export";
};
