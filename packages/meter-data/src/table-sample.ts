import { cellsOf } from "./cells.js";
import { type Delimiter, delimiters, type StatedMapping, type TimeFormat, timeFormats } from "./mapping.js";
import { clockOf, momentOf, rangeOf } from "./moment.js";
import { looksLikeNumber } from "./number-form.js";
import { tokensOf, words } from "./words.js";

/** Lines among which the header is looked for, and rows that show what columns are. */
const HEAD_LINES = 200;
const SAMPLE_ROWS = 100;
const MAX_COLUMNS = 500;

/** The beginning of a file as a table. */
export interface Sample {
  readonly delimiter: Delimiter;
  readonly skipLines: number;
  readonly headerLines: number;
  /** Names of the columns; "" without one. */
  readonly names: readonly string[];
  /** Further lines of the header, such as units. */
  readonly units: readonly string[];
  /** Lines above the header. */
  readonly titles: readonly string[];
  readonly rows: readonly (readonly string[])[];
  /** Number of the line of the first row, from 1. */
  readonly firstLine: number;
}

type Split = readonly (readonly string[])[];

/** Finds the header and the rows below it; null if no line has a time and a value. */
export const sampleOf = (lines: readonly string[], stated: StatedMapping): Sample | null => {
  const head = lines.slice(0, HEAD_LINES);
  const candidates = (stated.delimiter === undefined ? delimiters : [stated.delimiter]).map((delimiter) => {
    const split = head.map((line) => splitOf(line, delimiter));
    return { delimiter, split, rows: rowPlaces(split, stated) };
  });
  const [best] = candidates.toSorted((a, b) => b.rows.length - a.rows.length);
  if (best === undefined || best.rows.length === 0) return null;
  const { delimiter, split, rows } = best;
  const first = rows[0] ?? 0;
  const header = headerAbove(split, first, stated);
  const width = Math.max(...rows.map((at) => split[at]?.length ?? 0));
  return {
    delimiter,
    skipLines: header.at,
    headerLines: header.lines,
    names: padded(header.lines === 0 ? [] : (split[header.at] ?? []), width),
    units: padded(header.lines < 2 || !isUnits(split[header.at + 1] ?? []) ? [] : (split[header.at + 1] ?? []), width),
    titles: head.slice(0, header.at),
    rows: rows.slice(0, SAMPLE_ROWS).map((at) => split[at] ?? []),
    firstLine: first + 1,
  };
};

const padded = (cells: readonly string[], width: number): string[] =>
  Array.from({ length: Math.max(width, cells.length) }, (_, at) => cells[at] ?? "");

/** No cells for a line that is none of a table. */
export const splitOf = (line: string, delimiter: string): readonly string[] => {
  const cells = cellsOf(line, delimiter) ?? [];
  return cells.length > MAX_COLUMNS ? [] : cells;
};

/** Lines with a time and a number in other cells: those with the time in the commonest place, which titles have not. */
const rowPlaces = (split: Split, stated: StatedMapping): number[] => {
  const from = (stated.skip_lines ?? 0) + (stated.header_lines ?? 0);
  const found = split.flatMap((cells, at) => {
    const time = at >= from ? timePlace(cells) : -1;
    return time < 0 ? [] : [{ at, time }];
  });
  const counts = new Map<number, number>();
  for (const { time } of found) counts.set(time, (counts.get(time) ?? 0) + 1);
  const [[commonest] = [-1]] = [...counts].toSorted(([, a], [, b]) => b - a);
  return found.filter(({ time }) => time === commonest).map(({ at }) => at);
};

const usedWidth = (cells: readonly string[]): number => cells.findLastIndex((cell) => cell !== "") + 1;

/** -1: the line is no row of readings. */
const timePlace = (cells: readonly string[]): number => {
  const time = cells.findIndex((cell) => timeKindOf(cell) !== null);
  return cells.some((cell, at) => at !== time && looksLikeNumber(cell)) ? time : -1;
};

/** What a cell may be as a time: a date, a date with a clock time, or a range of either. */
export const timeKindOf = (cell: string): "date" | "time" | "range" | null => {
  if (cell.length < 6 || !/\d/.test(cell)) return null;
  const range = rangeOf(cell);
  if (range !== null)
    return formatsOf(range[0]).length > 0 && (formatsOf(range[1]).length > 0 || clockOf(range[1]) !== null)
      ? "range"
      : null;
  const [format] = formatsOf(cell);
  const found = format === undefined ? null : momentOf(cell, format);
  if (found === null) return null;
  return found.hasClock ? "time" : "date";
};

/** Formats in which a cell is a time or a date. */
export const formatsOf = (cell: string): TimeFormat[] =>
  timeFormats.filter((format) => momentOf(cell, format) !== null);

/** A clock time, or two, with their signs: a number alone may be anything. */
export const clockKindOf = (cell: string): "clock" | "range" | null => {
  const ends = rangeOf(cell);
  if (ends?.every((end) => /[:h]\d{2}/.test(end) && clockOf(end) !== null) === true) return "range";
  if (/^\d{1,2}(?:[:h]\d{2}|(?::\d{2})? ?[ap]\.?m)/i.test(cell) && clockOf(cell) !== null) return "clock";
  return null;
};

interface Header {
  /** Lines before it. */
  readonly at: number;
  readonly lines: number;
}

/** The nearest line above the first row that has names; a line of units may be below it. */
const headerAbove = (split: Split, first: number, stated: StatedMapping): Header => {
  if (stated.skip_lines !== undefined && stated.header_lines !== undefined)
    return { at: stated.skip_lines, lines: stated.header_lines };
  const width = usedWidth(split[first] ?? []);
  let at = first - 1;
  while (at >= 0 && !isHeader(split[at] ?? [], width)) at -= 1;
  if (at < 0) return { at: first, lines: 0 };
  const hasUnits = at > 0 && isUnits(split[at] ?? []) && isHeader(split[at - 1] ?? [], width);
  if (hasUnits) return { at: at - 1, lines: 2 };
  // Rows without a value may come before the first one with it; lines without a time are none.
  let lines = 1;
  while (at + lines < first && (split[at + lines] ?? []).every((cell) => timeKindOf(cell) === null)) lines += 1;
  return { at, lines };
};

const isHeader = (cells: readonly string[], width: number): boolean => {
  if (timePlace(cells) >= 0) return false;
  const named = cells.filter((cell) => /\p{L}|\d[:h]\d{2}/u.test(cell)).length + countedIn(cells);
  return named >= 2 && named * 2 >= Math.min(width, usedWidth(cells)) && usedWidth(cells) * 2 > width;
};

/** Numbers that name the intervals of a day: 1 to 24, or to 96. */
const countedIn = (cells: readonly string[]): number => {
  const numbers = cells.filter((cell) => /^\d{1,3}$/.test(cell)).map(Number);
  const isCount = numbers.every((number, at) => at === 0 || number === (numbers[at - 1] ?? 0) + 1);
  return isCount && numbers.length > 20 ? numbers.length : 0;
};

/** A line below the names: units, and what is empty. */
const isUnits = (cells: readonly string[]): boolean =>
  cells.every((cell) => cell === "" || /^[[(]?[^\s]{1,12}[\])]?$/.test(cell)) &&
  cells.some((cell) => /^[[(]?[km]?wh?[\])]?$/i.test(cell));

/** How much of a column is what it is asked for, of the cells that are not empty. */
export const shareOf = (rows: Split, column: number, is: (cell: string) => boolean): number => {
  const cells = rows.map((cells) => cells[column] ?? "").filter((cell) => cell !== "");
  return cells.length === 0 ? 0 : cells.filter(is).length / cells.length;
};

/** Whether a name has nothing but words of a time. */
export const isTimeName = (name: string): boolean =>
  tokensOf(name).every(
    (word) =>
      words.time.has(word) ||
      words.start.has(word) ||
      words.end.has(word) ||
      words.weakStart.has(word) ||
      words.weakEnd.has(word),
  );
