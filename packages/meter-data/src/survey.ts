import { cellsOf } from "./cells.js";
import { isTotal } from "./line-cells.js";
import type { Sample } from "./table-sample.js";

/** A row of the file, and its line. */
export interface SurveyRow {
  readonly cells: readonly string[];
  readonly line: number;
}

/** The rows that may settle what is open: all of them, in files of a usual size. */
export interface Survey {
  /** No more rows are looked through. */
  readonly isWhole: boolean;
  rows(): readonly SurveyRow[];
}

/** Lines and cells that are looked through: what these do not settle, more are not likely to. */
const MAX_LINES = 200_000;
const MAX_CELLS = 1_000_000;
const MIN_LINES = 500;

/** The rows of these lines, split once. */
export const surveyOf = (lines: readonly string[], sample: Sample, isWhole: boolean): Survey => {
  const fitting = Math.floor(MAX_CELLS / sample.names.length);
  const most = Math.min(MAX_LINES, Math.max(MIN_LINES, fitting));
  let rows: SurveyRow[] | null = null;
  return {
    isWhole: isWhole || lines.length >= most,
    rows: () => (rows ??= rowsOf(lines, sample, most)),
  };
};

const rowsOf = (lines: readonly string[], { delimiter, firstLine }: Sample, most: number): SurveyRow[] => {
  const rows: SurveyRow[] = [];
  for (let at = firstLine - 1; at < Math.min(lines.length, most); at++) {
    const cells = cellsOf(lines[at] ?? "", delimiter);
    if (cells !== null && cells.length > 1 && !isTotal(cells)) rows.push({ cells, line: at + 1 });
  }
  return rows;
};

/** The cells of these columns that are not empty, line by line. */
export function* cellsIn(survey: Survey, columns: readonly number[]): Generator<string> {
  for (const { cells } of survey.rows())
    for (const column of columns) {
      const text = cells[column - 1] ?? "";
      if (text !== "") yield text;
    }
}
