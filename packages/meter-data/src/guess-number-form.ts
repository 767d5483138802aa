import type { Findings } from "./findings.js";
import type { Doubt } from "./mapping.js";
import type { NumberForm } from "./number-form.js";
import { cellsIn, type Survey } from "./survey.js";

/** Finds the sign of decimals and that between thousands. `1,234` alone may be either: the whole file may decide. */
export const numberFormOf = (
  columns: readonly number[],
  survey: Survey,
  line: number,
  findings: Findings,
): NumberForm => {
  const { reasons, doubts, assumed } = findings;
  const signs = new SeenSigns();
  for (const text of cellsIn(survey, columns)) {
    const told = signs.see(text);
    if (told === "enough") break;
    if (told === null) continue;
    if (told.why !== null) reasons.push(told.why);
    return told.form;
  }
  const { form, open, isSeen } = signs.likely();
  if (!isSeen) assumed.add("decimal");
  // Larger values may come later: 1.100 after a week below 1000.
  if (!isSeen && !survey.isWhole) findings.isOpen = true;
  if (!isSeen || form.thousands === "") assumed.add("thousands");
  if (open !== null) doubts.push(decimalDoubt(line, form.decimal, open));
  return form;
};

const decimalDoubt = (line: number, sign: "." | ",", example: string): Doubt => ({
  line,
  member: "decimal",
  question: `"${example.slice(0, 30)}": is "${sign}" before decimals or between thousands? All values have three digits behind it.`,
  choices: [
    { value: sign, meaning: `${example} is ${example.replace(sign, ".")}` },
    { value: otherThan(sign), meaning: `${example} is ${example.replace(sign, "")}` },
  ],
});

const otherThan = (sign: "." | ","): "." | "," => (sign === "," ? "." : ",");

const withDecimal = (decimal: "." | ","): NumberForm => ({ decimal, thousands: otherThan(decimal) });

/** `1,234`, if the mark is a comma. */
const hasThree = (text: string, mark: "." | ","): boolean =>
  /^[+-]?\d{1,3}[.,]\d{3}$/.test(text) && text.includes(mark);

/** What the cells so far show of their signs. */
class SeenSigns {
  private example = "";
  private sign: "," | "." | null = null;
  private spaces: " " | "'" | "" = "";
  private isSure = false;

  /** What this cell settles; `enough`: no further cell can add anything. */
  see(text: string): { readonly form: NumberForm; readonly why: string | null } | "enough" | null {
    const cell = bare(text);
    if (/^\d{1,3}([ '])\d{3}/.test(cell)) this.spaces = cell.includes("'") ? "'" : " ";
    const last = /([.,])[^.,]*$/.exec(cell)?.[1] as "." | "," | undefined;
    if (last === undefined) return null;
    const other = otherThan(last);
    if (cell.includes(other)) {
      const why = `"${cell.slice(0, 30)}": "${other}" is between thousands, "${last}" before decimals`;
      return { form: withDecimal(last), why };
    }
    if (cell.indexOf(last) !== cell.lastIndexOf(last)) {
      [this.sign, this.example, this.isSure] = [other, cell, true];
      return "enough";
    }
    this.sign ??= last;
    // 1,234 and 12.5: the comma is between thousands.
    if (this.sign !== last) return { form: withDecimal(hasThree(cell, last) ? this.sign : last), why: null };
    if (this.example === "") this.example = cell;
    if (!/^[+-]?[1-9]\d{0,2}[.,]\d{3}$/.test(cell)) this.isSure = true;
    // A point with other than three digits may be followed by a comma between thousands in larger values only.
    return this.isSure && this.sign === "," ? "enough" : null;
  }

  /** `open`: an example that may be read in two ways; `isSeen`: a cell has the sign of decimals. */
  likely(): { readonly form: NumberForm; readonly open: string | null; readonly isSeen: boolean } {
    const { sign, spaces, isSure, example } = this;
    if (sign === null) return { form: { decimal: ".", thousands: spaces }, open: null, isSeen: false };
    if (isSure && example.split(otherThan(sign)).length > 2)
      return { form: withDecimal(sign), open: null, isSeen: true };
    return {
      form: { decimal: sign, thousands: spaces },
      open: !isSure && spaces === "" ? example : null,
      isSeen: true,
    };
  }
}

const bare = (text: string): string =>
  text
    .replace(/\s*[kM]?Wh?$/i, "")
    .replaceAll(/[\u00a0\u202f]/g, " ")
    .replaceAll("’", "'");
