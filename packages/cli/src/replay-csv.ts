import { createReadStream } from "node:fs";
import { INTERVAL_STEP_SECONDS, operator } from "@curtail/contract";
import { CsvError, parse } from "csv-parse";
import { CommandFailure, messageOf } from "./admin-io.js";
import { partSecondsOf } from "./part-seconds.js";
import { parseTimestamp } from "./timestamp.js";

/** One line of a file of readings. */
export interface CsvReading {
  /** Line number where it ends, from 1. */
  readonly line: number;
  readonly meter: string;
  readonly assetType: AssetType;
  readonly endMs: number;
  readonly intervalSeconds: number;
  readonly powerKw: number;
}

export type AssetType = (typeof operator.assetTypes)[number];

const columns = ["meter", "asset_type", "interval_end_utc", "interval_seconds", "kw"] as const;
type Column = (typeof columns)[number];

// A line is cut into the longest parts that the service accepts; a day of them is plenty.
const MAX_LINE_SECONDS = 86_400;

/** Streams a file line by line; an CommandFailure names the faulty line. */
export async function* readCsv(file: string): AsyncGenerator<CsvReading> {
  const source = createReadStream(file);
  const parser = parse({
    bom: true,
    trim: true,
    skip_empty_lines: true,
    info: true,
    columns: (header) => checked(file, header),
  });
  source.on("error", (error) => parser.destroy(error));
  try {
    for await (const { record, info } of source.pipe(parser) as AsyncIterable<CsvRow>) {
      yield readingOf(record, info.lines, file);
    }
  } catch (error) {
    throw readable(file, error);
  } finally {
    source.destroy();
  }
}

/** Ends and lengths of the equal parts in which a reading is uploaded: multiples of 30 s, at most 300 s. */
export const partsOf = ({
  endMs,
  intervalSeconds,
}: CsvReading): { readonly partSeconds: number; readonly endsMs: readonly number[] } => {
  const partSeconds = partSecondsOf(intervalSeconds);
  const count = intervalSeconds / partSeconds;
  return {
    partSeconds,
    endsMs: Array.from({ length: count }, (_, at) => endMs - (count - 1 - at) * partSeconds * 1000),
  };
};

interface CsvRow {
  readonly record: Readonly<Record<Column, string>>;
  readonly info: { readonly lines: number };
}

const checked = (file: string, header: readonly string[]): string[] => {
  const missing = columns.filter((column) => !header.includes(column));
  if (missing.length === 0) return [...header];
  throw new CommandFailure(
    `${file} lacks the ${missing.length === 1 ? "column" : "columns"} ${missing.join(", ")}; its first line must name ${columns.join(",")}`,
  );
};

const readingOf = (row: CsvRow["record"], line: number, file: string): CsvReading => {
  const wrong = (column: Column, rule: string): never => {
    throw new CommandFailure(`${file}, line ${line}: ${column} is "${row[column].slice(0, 40)}"; it must ${rule}`);
  };
  if (row.meter === "") wrong("meter", "name a meter");
  const assetType = row.asset_type === "" ? "load" : operator.assetTypes.find((each) => each === row.asset_type);
  const endMs = parseTimestamp(row.interval_end_utc);
  if (Number.isNaN(endMs)) wrong("interval_end_utc", "be RFC 3339, for example 2026-07-01T18:00:00Z");
  const intervalSeconds = /^\d{1,9}$/.test(row.interval_seconds) ? Number(row.interval_seconds) : 0;
  if (intervalSeconds === 0 || intervalSeconds % INTERVAL_STEP_SECONDS !== 0)
    wrong("interval_seconds", `be divisible by ${INTERVAL_STEP_SECONDS}`);
  if (intervalSeconds > MAX_LINE_SECONDS) wrong("interval_seconds", `be at most ${MAX_LINE_SECONDS}`);
  const powerKw = row.kw === "" ? Number.NaN : Number(row.kw);
  if (!Number.isFinite(powerKw)) wrong("kw", "be a number");
  return {
    line,
    meter: row.meter,
    assetType: assetType ?? wrong("asset_type", `be one of ${operator.assetTypes.join(", ")}`),
    endMs,
    intervalSeconds,
    powerKw,
  };
};

const readable = (file: string, error: unknown): unknown => {
  if (error instanceof CommandFailure) return error;
  if (error instanceof CsvError) {
    const line = typeof error["lines"] === "number" ? `, line ${error["lines"]}` : "";
    return new CommandFailure(`${file}${line}: not valid CSV: ${error.message}`, undefined, { cause: error });
  }
  const isOfFiles = error instanceof Error && "syscall" in error;
  return isOfFiles
    ? new CommandFailure(`${file} cannot be read: ${messageOf(error)}`, undefined, { cause: error })
    : error;
};
