import type { Doubt, TimeFormat, TimeMapping } from "./mapping.js";
import { momentOf, rangeOf } from "./moment.js";
import { RowTimeReader } from "./row-time.js";
import { clockKindOf, formatsOf, isTimeName, type Sample, shareOf, timeKindOf } from "./table-sample.js";
import { hasWord, tokensOf, words } from "./words.js";

const DAY_MS = 86_400_000;
const MOST = 0.9;
/** A date with both its numbers, before the year. */
const DATE_CHARACTERS = 10;

/** What a guess has found, and asks. */
export interface Findings {
  readonly reasons: string[];
  readonly doubts: Doubt[];
  /** Something that is no doubt yet is to be told by more lines. */
  isOpen: boolean;
}

export interface TimeColumns {
  readonly columns: readonly number[];
  readonly endColumns: readonly number[];
  readonly range: boolean;
  /** Columns of times that are not read. */
  readonly others: readonly number[];
}

interface Kinds {
  readonly times: number[];
  readonly dates: number[];
  readonly clocks: number[];
  readonly ranges: number[];
  readonly clockRanges: number[];
  readonly hours: number[];
}

/** Finds the columns of times, from 1; null if there are none. */
export const timeColumnsOf = (sample: Sample, findings: Findings): TimeColumns | null => {
  const kinds = kindsOf(sample);
  const all = Object.values(kinds).flat();
  const found = chosen(sample, kinds);
  if (found === null) return null;
  const used = [...found.columns, ...found.endColumns];
  findings.reasons.push(reasonFor(sample, found));
  return { ...found, others: all.filter((column) => !used.includes(column)) };
};

type Chosen = Omit<TimeColumns, "others">;

const one = (column: number | undefined): number[] => (column === undefined ? [] : [column]);

const chosen = (sample: Sample, kinds: Kinds): Chosen | null => {
  const { times, dates, clocks, ranges, clockRanges, hours } = kinds;
  if (ranges.length > 0) return { columns: one(ranges[0]), endColumns: [], range: true };
  const [date] = dates;
  if (date !== undefined && clockRanges.length > 0)
    return { columns: [date, clockRanges[0] ?? 0], endColumns: [], range: true };
  const hasClocks = clocks.length > 0 || hours.length > 0;
  const stamped = times.filter(
    (column) => !hasClocks || (!isMidnightOnly(sample, column) && !isSteadier(sample, column, clocks)),
  );
  if (stamped.length > 0) {
    const [start, end] = startAndEnd(sample, stamped);
    return { columns: [start], endColumns: one(end), range: false };
  }
  const days = [...dates, ...times];
  if (days.length === 0) return null;
  const clock = clocks.length > 0 ? clocks : hours;
  if (clock.length === 0) return { columns: [days[0] ?? 1], endColumns: [], range: false };
  const [start, end] = startAndEnd(sample, clock);
  const [startDay, endDay = startDay] = startAndEnd(sample, days);
  return { columns: [startDay, start], endColumns: end === undefined ? [] : [endDay, end], range: false };
};

/** An export of dates with 00:00 behind them. */
const isMidnightOnly = ({ rows }: Sample, column: number): boolean =>
  shareOf(
    rows,
    column - 1,
    (cell) => /[ T]0?0:00(?::00(?:\.0+)?)?(?: AM|Z)?$/i.test(cell) || / 12:00(?::00)? AM$/i.test(cell),
  ) === 1;

/** A time that changes less often than the clock beside it: when the line was written, for example. */
const isSteadier = ({ rows }: Sample, column: number, [clock]: readonly number[]): boolean => {
  const distinct = (of: number) => new Set(rows.map((cells) => cells[of - 1] ?? "")).size;
  return clock !== undefined && distinct(column) * 2 <= Math.min(distinct(clock), rows.length);
};

/** Of several columns, by their names: those of UTC or with an offset first. */
const startAndEnd = (sample: Sample, columns: readonly number[]): [number, number | undefined] => {
  const named = (is: (name: string) => boolean) => columns.filter((column) => is(sample.names[column - 1] ?? ""));
  const best = (of: readonly number[]) =>
    of.find((column) => shareOf(sample.rows, column - 1, hasOffset) === 1 || isUtc(sample.names[column - 1] ?? "")) ??
    of[0];
  const starts = named((name) => markOf(name) === "start");
  const ends = named((name) => markOf(name) === "end");
  const [start, end] = [best(starts), best(ends)];
  if (start !== undefined) return [start, end];
  return [end ?? best(columns) ?? 1, undefined];
};

const hasOffset = (cell: string): boolean => {
  const [format] = formatsOf(cell);
  return format !== undefined && momentOf(cell, format)?.offsetMs !== null;
};

export const isUtc = (name: string): boolean => tokensOf(name).some((word) => word === "utc" || word === "gmt");

/** What the name of a column of times says that it marks. */
export const markOf = (name: string): "start" | "end" | null => {
  const [isStart, isEnd] = [hasWord(name, words.start), hasWord(name, words.end)];
  if (isStart !== isEnd) return isStart ? "start" : "end";
  if (!isTimeName(name) || isStart) return null;
  const [weakStart, weakEnd] = [hasWord(name, words.weakStart), hasWord(name, words.weakEnd)];
  if (weakStart === weakEnd) return null;
  return weakStart ? "start" : "end";
};

const kindsOf = ({ names, rows }: Sample): Kinds => {
  const kinds: Kinds = { times: [], dates: [], clocks: [], ranges: [], clockRanges: [], hours: [] };
  for (const [at, name] of names.entries()) {
    const share = (is: (cell: string) => boolean) => shareOf(rows, at, is);
    const isNumber = share((cell) => /^\d+$/.test(cell)) > 0;
    // Numbers without signs are times only under such a name, or none.
    const mayBe =
      !isNumber ||
      name === "" ||
      tokensOf(name).some((word) => words.time.has(word) || /^(unix|epoch|ts|ms|s)$/.test(word)) ||
      markOf(name) !== null;
    if (mayBe && share((cell) => timeKindOf(cell) !== null) >= MOST) {
      if (share((cell) => timeKindOf(cell) === "range") >= MOST) kinds.ranges.push(at + 1);
      else if (share((cell) => timeKindOf(cell) === "time") > 0) kinds.times.push(at + 1);
      else kinds.dates.push(at + 1);
    } else if (share((cell) => clockKindOf(cell) !== null) >= MOST) {
      if (share((cell) => clockKindOf(cell) === "range") >= MOST) kinds.clockRanges.push(at + 1);
      else kinds.clocks.push(at + 1);
    } else if (
      hasWord(name, words.hour) &&
      !/[km]?wh?\b/i.test(name) &&
      share((cell) => /^(?:[01]?\d|2[0-5])$|^\d{4}$/.test(cell)) >= MOST
    )
      kinds.hours.push(at + 1);
  }
  return kinds;
};

const nameOf = ({ names }: Sample, column: number): string => {
  const name = names[column - 1] ?? "";
  return name === "" ? `column ${column}` : `column ${column} ("${name.slice(0, 60)}")`;
};

const reasonFor = (sample: Sample, { columns, endColumns, range }: Chosen): string => {
  const shown = columns.map((column) => nameOf(sample, column)).join(" and ");
  if (range) return `${shown}: times from one to another`;
  if (endColumns.length === 0) return `${shown}: times`;
  return `${shown}: starts, and ${endColumns.map((column) => nameOf(sample, column)).join(" and ")}: ends of intervals`;
};

/** A row of the file, and its line. */
export interface SurveyRow {
  readonly cells: readonly string[];
  readonly line: number;
}

/** The rows that may tell what is open: all of them, in files of a usual size. */
export interface Survey {
  /** No more rows are looked through. */
  readonly isWhole: boolean;
  rows(): readonly SurveyRow[];
}

const textOf = (cells: readonly string[], column: number, range: boolean): string => {
  const cell = cells[column - 1] ?? "";
  return range ? (rangeOf(cell)?.[0] ?? cell) : cell;
};

/** Finds the format of times. Whether the day or the month is first, the whole file may tell. */
export const timeFormatOf = (
  sample: Sample,
  { columns, range, needsClock }: Pick<Chosen, "columns" | "range"> & { readonly needsClock: boolean },
  survey: Survey,
  { reasons, doubts }: Findings,
): TimeFormat => {
  const column = columns[0] ?? 1;
  const isRange = range && columns.length === 1;
  const cells = sample.rows.map((row) => textOf(row, column, isRange)).filter((cell) => cell !== "");
  const counts = new Map<TimeFormat, number>();
  for (const cell of cells) for (const format of formatsOf(cell)) counts.set(format, (counts.get(format) ?? 0) + 1);
  // Days alone are no intervals.
  if (needsClock && !cells.some((cell) => formatsOf(cell).some((format) => momentOf(cell, format)?.hasClock)))
    return "year_first";
  const possible = [...counts].filter(([, count]) => count >= MOST * cells.length).map(([format]) => format);
  if (!possible.includes("day_first") && !possible.includes("month_first")) return possible[0] ?? "year_first";
  const shown = cells[0] ?? "";
  const settled = dayOrMonth(column, isRange, survey);
  if (settled !== null) {
    reasons.push(`${settled.why}, so the ${settled.format === "day_first" ? "day" : "month"} is first`);
    return settled.format;
  }
  doubts.push({
    line: sample.firstLine,
    member: "time.format",
    question: `"${shown.slice(0, 40)}": is the day or the month first?`,
    choices: [
      { value: "day_first", meaning: "the day is first" },
      { value: "month_first", meaning: "the month is first" },
    ],
  });
  return "day_first";
};

type Order = { readonly format: "day_first" | "month_first"; readonly why: string };

/** A number above 12 tells, and so does a date that follows the one before by a day in one order, and by a month in the other. */
const dayOrMonth = (column: number, isRange: boolean, survey: Survey): Order | null => {
  let [beforeDay, beforeMonth] = [Number.NaN, Number.NaN];
  let before = "";
  const steps = { day_first: 0, month_first: 0 };
  let example = "";
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
    const [dayAt, monthAt] = [Math.floor(day.localMs / DAY_MS), Math.floor(month.localMs / DAY_MS)];
    const [dayStep, monthStep] = [Math.abs(dayAt - beforeDay), Math.abs(monthAt - beforeMonth)];
    if (dayStep === 1 && monthStep > 1) steps.day_first += 1;
    if (monthStep === 1 && dayStep > 1) steps.month_first += 1;
    if (dayStep + monthStep > 2 && example === "") example = text;
    [beforeDay, beforeMonth] = [dayAt, monthAt];
  }
  if (steps.day_first > 0 === steps.month_first > 0) return null;
  const format = steps.day_first > 0 ? "day_first" : "month_first";
  return {
    format,
    why: `"${example.slice(0, 40)}" follows the date before it by a day in this order, and by a month in the other`,
  };
};

/** Whether times mark the start or the end, where no name tells: whole days begin with the one and end with the other. */
export const markedBy = (
  time: TimeMapping,
  survey: Survey,
  { line, lengthMs }: { readonly line: number; readonly lengthMs: number | null },
  { reasons, doubts }: Findings,
): Pick<TimeMapping, "label" | "midnight"> => {
  const reader = new RowTimeReader(time, null);
  // Days of UTC are whole by chance, or by the choice of whoever asked for the data.
  let isLocal = !time.format.startsWith("unix");
  let [least, most] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  const ends = new DayEnds(lengthMs);
  for (const { cells } of survey.rows()) {
    const local = reader.localOf(cells);
    if (local === null) continue;
    ends.see(local);
    isLocal &&= !cells.some((cell) => /\d(?:Z|UTC|GMT)$/i.test(cell));
    least = Math.min(least, local);
    most = Math.max(most, local);
  }
  if (ends.counted() > 0) {
    reasons.push(
      "00:00 follows the last time of the same date, so times mark the end of intervals, and 00:00 is 24:00",
    );
    return { label: "end", midnight: "ends_day" };
  }
  const { midnight } = time;
  const [first, last] = [least % DAY_MS, most % DAY_MS];
  if (isLocal && lengthMs !== null && most - least >= DAY_MS - lengthMs) {
    if (first === 0 && last === DAY_MS - lengthMs) {
      reasons.push(`the first time is 00:00 and the last ${clockText(last)}, so times mark the start of intervals`);
      return { label: "start", midnight };
    }
    if (first === lengthMs && last === 0) {
      reasons.push(`the first time is ${clockText(first)} and the last 00:00, so times mark the end of intervals`);
      return { label: "end", midnight };
    }
  }
  doubts.push({
    line,
    member: "time.label",
    question:
      "Do times mark the start or the end of an interval? The header does not tell, and the file does not begin and end with whole days.",
    choices: [
      { value: "start", meaning: "the start" },
      { value: "end", meaning: "the end" },
    ],
  });
  return { label: "start", midnight };
};

/** Counts days that end with 00:00 under their own date, after which the next date begins. */
class DayEnds {
  private count = 0;
  private first = Number.NaN;
  private before = Number.NaN;
  private isMidnight = false;

  constructor(private readonly lengthMs: number | null) {}

  see(local: number): void {
    if (Number.isNaN(this.before)) this.first = local;
    if (this.isMidnight && local - this.before === DAY_MS + (this.lengthMs ?? 0)) this.count += 1;
    this.isMidnight = local % DAY_MS === 0 && this.before - local === DAY_MS - (this.lengthMs ?? 0);
    this.before = local;
  }

  /** The last day counts if the first one begins after midnight. */
  counted(): number {
    return this.count + (this.isMidnight && this.first % DAY_MS === this.lengthMs ? 1 : 0);
  }
}

const clockText = (ms: number): string => new Date(ms).toISOString().slice(11, 16);
