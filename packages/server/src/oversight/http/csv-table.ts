import { Readable } from "node:stream";
import { CsvError, parse } from "csv-parse";
import { quote } from "../../platform/quote.js";
import { turns } from "../../platform/turns.js";
import { MAX_IMPORT_LINES, type Table } from "../domain/import-lines.js";

/** Longer than any line whose cells are all accepted; one of a million cells takes a second. */
const MAX_LINE_CHARACTERS = 16_384;
const PIECE_BYTES = 16_384;
const [LF, CR] = [10, 13];

/** Parses CSV as spreadsheets write it, with commas or semicolons, in steps. */
export const csvTable = async (csv: string): Promise<Table> => {
  const tooLong = lineOfLongest(csv);
  if (tooLong !== null) return unread(tooLong, TOO_LONG);
  try {
    const [header, ...rows] = (await recordsOf(csv)).map(({ record, info }) => ({ line: info.lines, cells: record }));
    return header === undefined
      ? unread(1, "the file is empty; it must begin with a header")
      : { header: header.cells, rows };
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    const line = typeof error["lines"] === "number" ? error["lines"] : 1;
    if (error.code === "CSV_MAX_RECORD_SIZE") return unread(line, TOO_LONG);
    return unread(
      line,
      `the line is not valid CSV (${quote(error.message)}); enclose cells that contain quotes in quotes, and double the inner quotes`,
    );
  }
};

const TOO_LONG = `the line has more than ${MAX_LINE_CHARACTERS} characters; shorten its cells`;

/** Number of the first line that is too long; null: none is. Takes some milliseconds for four megabytes. */
const lineOfLongest = (csv: string): number | null => {
  let [line, start] = [1, 0];
  for (let at = 0; at < csv.length; at++) {
    const code = csv.charCodeAt(at);
    if (code !== LF && code !== CR) continue;
    if (at - start > MAX_LINE_CHARACTERS) return line;
    start = at + 1;
    // A line of Windows ends with both.
    if (code === LF || csv.charCodeAt(at + 1) !== LF) line += 1;
  }
  return csv.length - start > MAX_LINE_CHARACTERS ? line : null;
};

const recordsOf = async (csv: string): Promise<readonly CsvRecord[]> => {
  const parser = parse({
    bom: true,
    delimiter: separatorOf(csv),
    info: true,
    max_record_size: MAX_LINE_CHARACTERS,
    relax_column_count: true,
    skip_empty_lines: true,
    skip_records_with_empty_values: true,
    trim: true,
  });
  const records: CsvRecord[] = [];
  for await (const record of Readable.from(piecesOf(Buffer.from(csv))).pipe(parser)) {
    // One more line than accepted, besides the header: enough to detect too many.
    if (records.push(record as CsvRecord) === MAX_IMPORT_LINES + 2) break;
  }
  return records;
};

async function* piecesOf(bytes: Buffer): AsyncGenerator<Buffer> {
  const othersTurn = turns();
  for (let start = 0; start < bytes.length; start += PIECE_BYTES) {
    yield bytes.subarray(start, start + PIECE_BYTES);
    await othersTurn();
  }
}

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
