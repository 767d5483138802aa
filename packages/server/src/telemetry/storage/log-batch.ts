import type { GridReadings } from "../operations/grid-readings.js";
import { ARRAY_HEADER_BYTES, arrayHeader, FLOAT8_OID, INT4_OID } from "./telemetry-encoding.js";

/** Readings in the order in which they were appended, as columns; reading `i` fills `cellCounts[i]` cells of its meter. */
export interface LoggedColumns {
  readonly count: number;
  readonly meters: Int32Array;
  readonly lastCells: Int32Array;
  readonly cellCounts: Int32Array;
  readonly kw: Float64Array;
}

/** What one transaction appended at once. */
export interface LogBatch extends LoggedColumns {
  readonly seq: number;
  /** Number of its transaction. */
  readonly xid: number;
  readonly atMs: number;
}

/** Readings of several uploads, one after the other. */
export const columnsOf = (all: readonly GridReadings[]): LoggedColumns => {
  const count = all.reduce((sum, readings) => sum + readings.count, 0);
  const columns = {
    count,
    meters: new Int32Array(count),
    lastCells: new Int32Array(count),
    cellCounts: new Int32Array(count),
    kw: new Float64Array(count),
  };
  let at = 0;
  for (const { keys, source, lastCell, cellCount, powerKw, count: own } of all) {
    for (let index = 0; index < own; index++) columns.meters[at + index] = keys[source[index] ?? -1]?.meter ?? 0;
    columns.lastCells.set(lastCell.subarray(0, own), at);
    columns.cellCounts.set(cellCount.subarray(0, own), at);
    columns.kw.set(powerKw.subarray(0, own), at);
    at += own;
  }
  return columns;
};

/** The arrays of a row, in PostgreSQL's binary format. */
export const encodeColumns = ({ meters, lastCells, cellCounts, kw }: LoggedColumns): Buffer[] => [
  encodeInts(meters),
  encodeInts(lastCells),
  encodeInts(cellCounts.every((count) => count === cellCounts[0]) ? cellCounts.subarray(0, 1) : cellCounts),
  encodeFloats(kw),
];

/** An array in PostgreSQL's binary format. */
export const encodeInts = (values: Int32Array): Buffer => {
  const buffer = Buffer.allocUnsafe(ARRAY_HEADER_BYTES + values.length * 8);
  const view = new DataView(buffer.buffer, buffer.byteOffset, buffer.byteLength);
  let at = arrayHeader(buffer, 0, INT4_OID, values.length, 1);
  for (const value of values) {
    view.setInt32(at, 4);
    view.setInt32(at + 4, value);
    at += 8;
  }
  return buffer;
};

/** The same of other numbers. */
export const encodeFloats = (values: Float64Array): Buffer => {
  const buffer = Buffer.allocUnsafe(ARRAY_HEADER_BYTES + values.length * 12);
  const view = new DataView(buffer.buffer, buffer.byteOffset, buffer.byteLength);
  let at = arrayHeader(buffer, 0, FLOAT8_OID, values.length, 1);
  for (const value of values) {
    view.setInt32(at, 8);
    view.setFloat64(at + 4, value);
    at += 12;
  }
  return buffer;
};

/** SQL of the arrays of a row as one text; the driver has no binary results. */
export const ENCODED_COLUMNS =
  "encode(array_send(meters) || array_send(last_cells) || array_send(cell_counts) || array_send(kw), 'base64')";

/** The other way round. */
export const decodeColumns = (base64: string): LoggedColumns => {
  const bytes = Buffer.from(base64, "base64");
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let at = 0;
  const next = <A extends Int32Array | Float64Array>(make: (length: number) => A, bytesOfOne: number): A => {
    const values = make(view.getInt32(at + 12));
    at += ARRAY_HEADER_BYTES;
    for (let index = 0; index < values.length; index++) {
      values[index] = bytesOfOne === 4 ? view.getInt32(at + 4) : view.getFloat64(at + 4);
      at += 4 + bytesOfOne;
    }
    return values;
  };
  const ints = (): Int32Array => next((length) => new Int32Array(length), 4);
  const meters = ints();
  const lastCells = ints();
  const counts = ints();
  const cellCounts = counts.length === 1 ? new Int32Array(meters.length).fill(counts[0] ?? 0) : counts;
  return { count: meters.length, meters, lastCells, cellCounts, kw: next((length) => new Float64Array(length), 8) };
};
