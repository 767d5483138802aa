import { quoted } from "./fault-list.js";
import { MAX_NAME } from "./interval-columns.js";
import type { Mapping } from "./mapping.js";
import { plain, tokensOf, words } from "./words.js";

/** The meter of a line. */
export interface LineMeter {
  /** Of the series; "": the line names none. */
  readonly name: string;
  /** Its name, if the series is named by an id; "": none. */
  readonly fullName: string;
}

/** Longer than the name of any meter. */
const MAX_CELL = 2 * MAX_NAME;

export const meterIn = (cells: readonly string[], mapping: Mapping): LineMeter => ({
  name: nameIn(cells, mapping),
  fullName: mapping.meter_name_column === null ? "" : (cells[mapping.meter_name_column - 1] ?? "").slice(0, MAX_CELL),
});

const nameIn = (cells: readonly string[], { meter_columns: columns }: Mapping): string => {
  const [first, ...more] = columns;
  if (first === undefined) return "";
  if (more.length === 0) return cells[first - 1] ?? "";
  return columns
    .map((column) => cells[column - 1] ?? "")
    .filter((cell) => cell !== "")
    .join(":");
};

/** The last column that lines must have. */
export const lastColumnOf = (mapping: Mapping): number => {
  const { time, values, meter_columns: meters, unit_column: unit, seconds_column: seconds, matrix } = mapping;
  return Math.max(
    ...time.columns,
    ...time.end_columns,
    ...values.map(({ column }) => column + (matrix === null ? 0 : matrix.columns - 1)),
    ...meters,
    unit ?? 0,
    seconds ?? 0,
  );
};

/** Whether a line begins with a word for a total. */
export const isTotal = (cells: readonly string[]): boolean => {
  const first = cells.find((cell) => cell !== "") ?? "";
  const [word = ""] = tokensOf(plain(first));
  return words.total.has(word);
};

export const noNumber = (cell: string, name: string): string =>
  `the value ${quoted(cell)} of ${name} is no number; correct it or leave it empty`;
