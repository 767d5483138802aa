import { ByteReader, ByteWriter, DamagedBytes } from "../domain/bytes.js";
import { readPowers, writePowers } from "../domain/packed-powers.js";
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

/** The readings of a row as bytes, exact to the bit. */
export const encodeColumns = ({ series, lastCells, cellCounts, values }: LoggedColumns): Buffer => {
  const writer = new ByteWriter();
  for (const column of [series, lastCells, cellCounts]) writeColumn(writer, column);
  writePowers(writer, values);
  const { buffer, byteOffset, byteLength } = writer.written();
  return Buffer.from(buffer, byteOffset, byteLength);
};

/** The other way round. */
export const decodeColumns = (count: number, bytes: Uint8Array): LoggedColumns => {
  const reader = new ByteReader(bytes);
  const [series, lastCells, cellCounts] = [
    readColumn(reader, count),
    readColumn(reader, count),
    readColumn(reader, count),
  ];
  const values = readPowers(reader, count);
  reader.end();
  return { count, series, lastCells, cellCounts, values };
};

// How whole numbers are stored: one for all, or each as the difference from the one before.
const ALIKE = 0;
const STEPS = 1;

/** Meters of an upload are mostly in the order of their numbers, and readings of one time. */
const writeColumn = (writer: ByteWriter, column: Int32Array): void => {
  const [first = 0] = column;
  if (isAlike(column, first)) {
    writer.whole(ALIKE);
    writer.signed(first);
    return;
  }
  writer.whole(STEPS);
  let before = 0;
  for (const value of column) {
    writer.signed(value - before);
    before = value;
  }
};

const isAlike = (column: Int32Array, first: number): boolean => {
  for (const value of column) if (value !== first) return false;
  return true;
};

const readColumn = (reader: ByteReader, count: number): Int32Array => {
  const column = new Int32Array(count);
  const form = reader.whole();
  if (form === ALIKE) return column.fill(reader.signed());
  if (form !== STEPS) throw new DamagedBytes(`no form ${form} of numbers is known`);
  let value = 0;
  for (let nth = 0; nth < count; nth++) {
    value += reader.signed();
    column[nth] = value;
  }
  return column;
};
