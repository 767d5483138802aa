import {
  numberColumn,
  type ParquetColumn,
  ParquetFile,
  textColumn,
  timeColumn,
} from "../../platform/files/parquet-file.js";
import { rounded } from "../../platform/rounded.js";
import type { MeterEnergy } from "../operations/read-energy.js";
import type { ENERGY_COLUMNS } from "./wire-energy-csv.js";

/** Packed and sent at once, in 25 ms; larger groups would hold up others for longer. */
const ROWS_OF_GROUP = 20_000;

type Column = (typeof ENERGY_COLUMNS)[number];

const someNumber: ParquetColumn = { ...numberColumn, repetition_type: "OPTIONAL" };

const columns: Readonly<Record<Column, ParquetColumn>> = {
  timestamp: timeColumn,
  meter_id: textColumn,
  meter_name: textColumn,
  power_kw: someNumber,
  energy_kwh: someNumber,
  coverage: numberColumn,
  charge_kwh: someNumber,
};

/** The pieces as a Parquet file, one row group at a time: only one is ever in memory. */
export async function* energyParquet(pieces: AsyncIterable<MeterEnergy>): AsyncGenerator<Uint8Array> {
  const file = new ParquetFile(columns);
  let rows = noRows();
  for await (const piece of pieces) {
    addRows(rows, piece);
    if (rows.timestamp.length < ROWS_OF_GROUP) continue;
    yield await file.takeGroup(rows);
    rows = noRows();
  }
  yield await file.takeGroup(rows);
  yield await file.takeEnd();
}

type Rows = {
  [C in Column]: Array<C extends "timestamp" ? bigint : C extends `meter_${string}` ? string : number | null>;
};

const noRows = (): Rows => ({
  timestamp: [],
  meter_id: [],
  meter_name: [],
  power_kw: [],
  energy_kwh: [],
  coverage: [],
  charge_kwh: [],
});

const addRows = (rows: Rows, { meter, sums, charge }: MeterEnergy): void => {
  for (let index = 0; index < sums.present.length; index++) {
    const isKnown = sums.present[index] !== 0;
    rows.timestamp.push(BigInt(sums.endMs(index)));
    rows.meter_id.push(meter.id);
    rows.meter_name.push(meter.name);
    rows.power_kw.push(isKnown ? rounded(sums.meanKw(index)) : null);
    rows.energy_kwh.push(isKnown ? rounded(sums.energyKwh(index)) : null);
    rows.coverage.push(rounded(sums.coverage(index)));
    const chargeKwh = charge?.kwh[index] ?? Number.NaN;
    rows.charge_kwh.push(Number.isNaN(chargeKwh) ? null : rounded(chargeKwh));
  }
};
