import { CELLS_PER_HOUR, type HourRow, type Run } from "@curtail/measure";

/** The part of an hour row that one statement writes. */
export interface HourRowPart {
  readonly row: HourRow;
  readonly run: Run;
}

export const INT4_OID = 23;
export const FLOAT8_OID = 701;
const FLOAT8_ARRAY_OID = 1022;
const INT4_BYTES = 12; // oid, length, value
export const ARRAY_HEADER_BYTES = 20; // dimensions, nulls, element oid, size, lower bound
const ELEMENT_BYTES = 12; // length, value
const COLUMNS = 4;

/**
 * A `telemetry_hour[]` in PostgreSQL's binary format: as text, the numbers would be printed here and parsed there, at
 * several times the cost. The lower bound of each inner array is the index of its first cell.
 */
export const encodeStretches = (stretches: readonly HourRowPart[], compositeOid: number): Buffer => {
  const buffer = Buffer.allocUnsafe(
    ARRAY_HEADER_BYTES + stretches.reduce((sum, each) => sum + 4 + recordBytes(each.run), 0),
  );
  let at = arrayHeader(buffer, 0, compositeOid, stretches.length, 1);
  for (const { row, run } of stretches) {
    at = buffer.writeInt32BE(recordBytes(run), at);
    at = buffer.writeInt32BE(COLUMNS, at);
    at = int4(buffer, at, row.site);
    at = int4(buffer, at, row.meter);
    at = int4(buffer, at, row.hour);
    at = cells(buffer, at, row.cells, run);
  }
  return buffer;
};

const lengthOf = (run: Run): number => run.to - run.from + 1;

const arrayBytes = (run: Run): number => ARRAY_HEADER_BYTES + ELEMENT_BYTES * lengthOf(run);

const recordBytes = (run: Run): number => 4 + 3 * INT4_BYTES + 8 + arrayBytes(run);

const int4 = (buffer: Buffer, at: number, value: number): number => {
  buffer.writeInt32BE(INT4_OID, at);
  buffer.writeInt32BE(4, at + 4);
  return buffer.writeInt32BE(value, at + 8);
};

/** Writes the beginning of an array without nulls; returns where its first element goes. */
export const arrayHeader = (
  buffer: Buffer,
  at: number,
  elementOid: number,
  count: number,
  lowerBound: number,
): number => {
  buffer.writeInt32BE(1, at);
  buffer.writeInt32BE(0, at + 4);
  buffer.writeUInt32BE(elementOid, at + 8);
  buffer.writeInt32BE(count, at + 12);
  return buffer.writeInt32BE(lowerBound, at + 16);
};

const cells = (buffer: Buffer, start: number, values: Float64Array, run: Run): number => {
  buffer.writeInt32BE(FLOAT8_ARRAY_OID, start);
  buffer.writeInt32BE(arrayBytes(run), start + 4);
  let at = arrayHeader(buffer, start + 8, FLOAT8_OID, lengthOf(run), run.from + 1);
  for (const value of values.subarray(run.from, run.to + 1)) {
    buffer.writeInt32BE(8, at);
    at = buffer.writeDoubleBE(value, at + 4);
  }
  return at;
};

/** An hour as received, one after the other. */
const received = Buffer.alloc(ARRAY_HEADER_BYTES + CELLS_PER_HOUR * ELEMENT_BYTES);
const view = new DataView(received.buffer, received.byteOffset, received.byteLength);

/** Memory for so many hours as one piece: each by itself would cost more than decoding it. */
export const hoursOfCells = (count: number): ((nth: number) => Float64Array<ArrayBuffer>) => {
  const all = new Float64Array(count * CELLS_PER_HOUR);
  return (nth) => all.subarray(nth * CELLS_PER_HOUR, (nth + 1) * CELLS_PER_HOUR);
};

/**
 * Decodes `encode(array_send(kw), 'base64')` into the cells of an hour. The driver has no binary results, and as text
 * 10,000 numbers cost 3 ms more to print and parse.
 */
export const decodeCells = (
  base64: string,
  cells: Float64Array<ArrayBuffer> = new Float64Array(CELLS_PER_HOUR),
): Float64Array<ArrayBuffer> => {
  cells.fill(Number.NaN);
  received.write(base64, "base64");
  const first = view.getInt32(16) - 1;
  const end = first + view.getInt32(12);
  let at = ARRAY_HEADER_BYTES;
  for (let place = first; place < end; place++) {
    const isNull = view.getInt32(at) < 0;
    if (!isNull) cells[place] = view.getFloat64(at + 4);
    at += isNull ? 4 : ELEMENT_BYTES;
  }
  return cells;
};
