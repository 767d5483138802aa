import { pipeline, Readable } from "node:stream";
import { CsvError, parse } from "csv-parse";
import { quote } from "../../platform/quote.js";
import { turns } from "../../platform/turns.js";
import { MAX_IMPORT_LINES, type Table } from "../domain/import-lines.js";

/** Longer than any line whose cells are all accepted; one of a million cells takes a second. */
const MAX_LINE_CHARACTERS = 16_384;
/** The parser takes a piece in one step. */
const PIECE_LINES = 64;
const PIECE_CHARACTERS = 16_384;
const [LF, CR] = [10, 13];

/** Parses CSV as spreadsheets write it, with commas or semicolons, in steps. */
export const csvTable = async (csv: string): Promise<Table> => {
  try {
    const [header, ...rows] = (await recordsOf(csv)).map(({ record, info }) => ({ line: info.lines, cells: record }));
    return header === undefined
      ? unread(1, "the file is empty; it must begin with a header")
      : { header: header.cells, rows };
  } catch (error) {
    if (error instanceof LineTooLong) return unread(error.line, TOO_LONG);
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

class LineTooLong extends Error {
  constructor(readonly line: number) {
    super(`line ${line} is too long`);
  }
}

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
  // Ends the parser with an error of the pieces; the loop throws it.
  for await (const record of pipeline(Readable.from(piecesOf(csv)), parser, () => undefined)) {
    // One more line than accepted, besides the header: enough to detect too many.
    if (records.push(record as CsvRecord) === MAX_IMPORT_LINES + 2) break;
  }
  return records;
};

/** Pieces of whole lines. */
async function* piecesOf(csv: string): AsyncGenerator<string> {
  const othersTurn = turns();
  for (let [start, line] = [0, 1]; start < csv.length; ) {
    const piece = pieceFrom(csv, start, line);
    yield csv.slice(start, piece.end);
    ({ end: start, line } = piece);
    await othersTurn();
  }
}

/** The end of a piece, and the number of the line that follows. */
const pieceFrom = (csv: string, start: number, firstLine: number): { readonly end: number; readonly line: number } => {
  let [end, line] = [start, firstLine];
  while (end < csv.length && line - firstLine < PIECE_LINES && end - start < PIECE_CHARACTERS) {
    end = endOfLine(csv, end, line);
    line += 1;
  }
  return { end, line };
};

const endOfLine = (csv: string, start: number, line: number): number => {
  for (let at = start; at < csv.length; at++) {
    const code = csv.charCodeAt(at);
    if (at - start > MAX_LINE_CHARACTERS) throw new LineTooLong(line);
    // A line of Windows ends with both.
    if (code === LF || (code === CR && csv.charCodeAt(at + 1) !== LF)) return at + 1;
  }
  return csv.length;
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
const separatorOf = (csv: string): "," | ";" =>
  /^[^,\r\n]*;/.test(csv.trimStart().slice(0, MAX_LINE_CHARACTERS)) ? ";" : ",";
