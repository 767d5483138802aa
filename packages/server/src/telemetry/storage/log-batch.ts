import type { GridReadings } from "../operations/grid-readings.js";

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

/** A row: how many cells each reading fills, null if they differ, and the readings. */
export const encodeColumns = ({ meters, lastCells, cellCounts, kw }: LoggedColumns): [number | null, Buffer] => {
  const [first = 1] = cellCounts;
  const isAlike = cellCounts.every((count) => count === first);
  const columns = isAlike ? [meters, lastCells, kw] : [meters, lastCells, cellCounts, kw];
  return [isAlike ? first : null, Buffer.concat(columns.map(bytesOf))];
};

/** Lowest byte first, on all machines that PostgreSQL is included for. */
const bytesOf = ({ buffer, byteOffset, byteLength }: Int32Array | Float64Array): Buffer =>
  Buffer.from(buffer, byteOffset, byteLength);

/** Bytes of a reading. */
const ALIKE_BYTES = 16;
const DIFFERENT_BYTES = 20;

/** SQL: how many readings a row has, without reading them. */
export const LOGGED_COUNT = `octet_length(readings) / case when cells_each is null then ${DIFFERENT_BYTES} else ${ALIKE_BYTES} end`;

/** The other way round. */
export const decodeColumns = (cellsEach: number | null, readings: Buffer): LoggedColumns => {
  const count = readings.length / (cellsEach === null ? DIFFERENT_BYTES : ALIKE_BYTES);
  let at = 0;
  const next = <A extends Int32Array | Float64Array>(values: A): A => {
    new Uint8Array(values.buffer).set(readings.subarray(at, (at += values.byteLength)));
    return values;
  };
  return {
    count,
    meters: next(new Int32Array(count)),
    lastCells: next(new Int32Array(count)),
    cellCounts: cellsEach === null ? next(new Int32Array(count)) : new Int32Array(count).fill(cellsEach),
    kw: next(new Float64Array(count)),
  };
};
