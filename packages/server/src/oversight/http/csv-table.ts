import { CsvError, parse } from "csv-parse/sync";
import { quote } from "../../platform/quote.js";
import { MAX_IMPORT_LINES, type Table } from "../domain/import-lines.js";

/** Parses CSV as spreadsheets write it, with commas or semicolons. */
export const csvTable = (csv: string): Table => {
  try {
    const records = parse(csv, {
      bom: true,
      delimiter: separatorOf(csv),
      info: true,
      relax_column_count: true,
      skip_empty_lines: true,
      skip_records_with_empty_values: true,
      // One more line than accepted, besides the header: enough to detect too many.
      to: MAX_IMPORT_LINES + 2,
      trim: true,
    }) as unknown as CsvRecord[];
    const [header, ...rows] = records.map(({ record, info }) => ({ line: info.lines, cells: record }));
    return header === undefined
      ? unread(1, "the file is empty; it must begin with a header")
      : { header: header.cells, rows };
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    const line = typeof error["lines"] === "number" ? error["lines"] : 1;
    return unread(
      line,
      `the line is not valid CSV (${quote(error.message)}); enclose cells that contain quotes in quotes, and double the inner quotes`,
    );
  }
};

interface CsvRecord {
  readonly record: readonly string[];
  readonly info: { readonly lines: number };
}

const unread = (line: number, message: string): Table => ({
  header: [],
  rows: [],
  fault: { line, column: null, message },
});

/** Detected from the header: no column has either character in its name. */
const separatorOf = (csv: string): "," | ";" => (/^[^,\r\n]*;/.test(csv.trimStart()) ? ";" : ",");
