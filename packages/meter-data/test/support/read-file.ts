import { type MeterData, MeterDataReader, type ReadOptions, type Summary, summaryOf } from "../../src/index.js";

/** Reads a file as the service does, in pieces of some bytes. */
export const readFile = (file: string | Uint8Array, options: ReadOptions = {}, pieceBytes = 7): MeterData => {
  const bytes = typeof file === "string" ? new TextEncoder().encode(file) : file;
  const reader = new MeterDataReader(options);
  for (let at = 0; at < bytes.length; at += pieceBytes) reader.add(bytes.subarray(at, at + pieceBytes));
  const work = reader.finish();
  for (;;) {
    const step = work.next();
    if (step.done === true) return step.value;
  }
};

/** An interval: its start, length in seconds, power in kW, and whether it was estimated. */
export type Row = readonly [start: string, seconds: number, kw: number, isEstimated?: true];

/** The intervals of a series, by its place in the file. */
export const rowsOf = ({ series }: MeterData, at = 0): Row[] => {
  const intervals = series[at]?.intervals;
  if (intervals === undefined) throw new Error(`the file has ${series.length} series`);
  const { count, startMs, seconds, powerKw, isEstimated } = intervals;
  return Array.from({ length: count }, (_, index): Row => {
    const row = [new Date(startMs[index] ?? 0).toISOString(), seconds[index] ?? 0, powerKw[index] ?? 0] as const;
    return isEstimated[index] === 1 ? [...row, true] : row;
  });
};

export const summary = ({ series }: MeterData, at = 0): Summary => {
  const intervals = series[at]?.intervals;
  if (intervals === undefined) throw new Error(`the file has ${series.length} series`);
  return summaryOf(intervals);
};

/** Its faults as `line: message`. */
export const faultsOf = ({ faults }: MeterData): string[] => faults.map(({ line, message }) => `${line}: ${message}`);
