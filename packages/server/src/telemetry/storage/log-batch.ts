import type { GridReadings } from "../operations/grid-readings.js";

/** Readings in the order in which they were appended, as columns; reading `i` fills `cellCounts[i]` cells of its series. */
export interface LoggedColumns {
  readonly count: number;
  readonly series: Int32Array;
  readonly lastCells: Int32Array;
  readonly cellCounts: Int32Array;
  /** In kW; of states of charge, in kWh. */
  readonly values: Float64Array;
}

/** What one transaction appended at once. */
export interface LogBatch extends LoggedColumns {
  readonly seq: number;
  /** Number of its transaction. */
  readonly xid: number;
  readonly atMs: number;
}

/** What a reading of the log says of its meter. */
export type LoggedKind = "power" | "charge";

/** A number for the readings of a kind of a meter, by which the log knows them: of states of charge, the meter's below zero. */
export const seriesOf = (kind: LoggedKind, meter: number): number => (kind === "charge" ? -meter : meter);

export const meterOf = (series: number): number => Math.abs(series);

export const kindOf = (series: number): LoggedKind => (series < 0 ? "charge" : "power");

/** Of several uploads, powers in kW and states of charge in kWh. */
export interface UploadedReadings {
  readonly powers: readonly GridReadings[];
  readonly charges: readonly GridReadings[];
}

/** Readings of each kind, one upload after the other. */
export const columnsOf = ({ powers, charges }: UploadedReadings): LoggedColumns => {
  const all = [...powers, ...charges];
  const count = all.reduce((sum, readings) => sum + readings.count, 0);
  const columns = {
    count,
    series: new Int32Array(count),
    lastCells: new Int32Array(count),
    cellCounts: new Int32Array(count),
    values: new Float64Array(count),
  };
  let at = 0;
  for (const [nth, { keys, source, lastCell, cellCount, powerKw, count: own }] of all.entries()) {
    const kind = nth < powers.length ? "power" : "charge";
    for (let index = 0; index < own; index++)
      columns.series[at + index] = seriesOf(kind, keys[source[index] ?? -1]?.meter ?? 0);
    columns.lastCells.set(lastCell.subarray(0, own), at);
    columns.cellCounts.set(cellCount.subarray(0, own), at);
    columns.values.set(powerKw.subarray(0, own), at);
    at += own;
  }
  return columns;
};

/** A row: how many cells each reading fills, null if they differ, and the readings. */
export const encodeColumns = ({ series, lastCells, cellCounts, values }: LoggedColumns): [number | null, Buffer] => {
  const [first = 1] = cellCounts;
  const isAlike = cellCounts.every((count) => count === first);
  const columns = isAlike ? [series, lastCells, values] : [series, lastCells, cellCounts, values];
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
    series: next(new Int32Array(count)),
    lastCells: next(new Int32Array(count)),
    cellCounts: cellsEach === null ? next(new Int32Array(count)) : new Int32Array(count).fill(cellsEach),
    values: next(new Float64Array(count)),
  };
};
