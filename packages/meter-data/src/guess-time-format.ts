import { type Findings, MOST } from "./findings.js";
import type { TimeColumns } from "./guess-time-columns.js";
import type { Doubt, TimeFormat } from "./mapping.js";
import { momentOf, rangeOf } from "./moment.js";
import type { Survey } from "./survey.js";
import { formatsOf, type Sample } from "./table-sample.js";

const DAY_MS = 86_400_000;
/** A date with both its numbers, before the year. */
const DATE_CHARACTERS = 10;

/** Finds the format of times. The whole file may show whether the day or the month is first. */
export const timeFormatOf = (
  sample: Sample,
  { columns, range, needsClock }: Pick<TimeColumns, "columns" | "range"> & { readonly needsClock: boolean },
  survey: Survey,
  { reasons, doubts, assumed }: Findings,
): TimeFormat => {
  const column = columns[0] ?? 1;
  const isRange = range && columns.length === 1;
  const cells = sample.rows.map((row) => textOf(row, column, isRange)).filter((cell) => cell !== "");
  // Days alone are no intervals.
  const possible = needsClock && !cells.some(hasClock) ? [] : possibleFormats(cells);
  if (possible.length === 0) assumed.add("time.format");
  if (!possible.includes("day_first") && !possible.includes("month_first")) return possible[0] ?? "year_first";
  const settled = dayOrMonth(column, isRange, survey);
  if (settled === null) {
    doubts.push(orderDoubt(sample.firstLine, cells[0] ?? ""));
    return "day_first";
  }
  reasons.push(`${settled.why}, so the ${settled.format === "day_first" ? "day" : "month"} is first`);
  return settled.format;
};

const textOf = (cells: readonly string[], column: number, range: boolean): string => {
  const cell = cells[column - 1] ?? "";
  return range ? (rangeOf(cell)?.[0] ?? cell) : cell;
};

const hasClock = (cell: string): boolean => formatsOf(cell).some((format) => momentOf(cell, format)?.hasClock);

/** Formats of most cells, in the order in which they are seen. */
const possibleFormats = (cells: readonly string[]): TimeFormat[] => {
  const counts = new Map<TimeFormat, number>();
  for (const cell of cells) for (const format of formatsOf(cell)) counts.set(format, (counts.get(format) ?? 0) + 1);
  return [...counts].filter(([, count]) => count >= MOST * cells.length).map(([format]) => format);
};

const orderDoubt = (line: number, text: string): Doubt => ({
  line,
  member: "time.format",
  question: `"${text.slice(0, 40)}": is the day or the month first?`,
  choices: [
    { value: "day_first", meaning: "the day is first" },
    { value: "month_first", meaning: "the month is first" },
  ],
});

type Order = { readonly format: "day_first" | "month_first"; readonly why: string };

/** A number above 12 decides, and so does a date that follows the one before by a day in one order, and by a month in the other. */
const dayOrMonth = (column: number, isRange: boolean, survey: Survey): Order | null => {
  const steps = new DateSteps();
  let before = "";
  for (const { cells, line } of survey.rows()) {
    const text = textOf(cells, column, isRange);
    // Most lines have the date of the one before.
    if (text.slice(0, DATE_CHARACTERS) === before) continue;
    before = text.slice(0, DATE_CHARACTERS);
    const day = momentOf(text, "day_first");
    const month = momentOf(text, "month_first");
    if (day === null && month === null) continue;
    if (day === null || month === null)
      return { format: day === null ? "month_first" : "day_first", why: `line ${line} has "${text.slice(0, 40)}"` };
    steps.see(text, day.localMs, month.localMs);
  }
  return steps.told();
};

/** Counts steps of a day from date to date, in either order. */
class DateSteps {
  private days = 0;
  private months = 0;
  private beforeDay = Number.NaN;
  private beforeMonth = Number.NaN;
  private example = "";

  see(text: string, dayMs: number, monthMs: number): void {
    const [dayAt, monthAt] = [Math.floor(dayMs / DAY_MS), Math.floor(monthMs / DAY_MS)];
    const [dayStep, monthStep] = [Math.abs(dayAt - this.beforeDay), Math.abs(monthAt - this.beforeMonth)];
    if (dayStep === 1 && monthStep > 1) this.days += 1;
    if (monthStep === 1 && dayStep > 1) this.months += 1;
    if (dayStep + monthStep > 2 && this.example === "") this.example = text;
    [this.beforeDay, this.beforeMonth] = [dayAt, monthAt];
  }

  /** null: neither, or both. */
  told(): Order | null {
    if (this.days > 0 === this.months > 0) return null;
    return {
      format: this.days > 0 ? "day_first" : "month_first",
      why: `"${this.example.slice(0, 40)}" follows the date before it by a day in this order, and by a month in the other`,
    };
  }
}
