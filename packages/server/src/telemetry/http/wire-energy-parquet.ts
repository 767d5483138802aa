import { ByteWriter, ParquetWriter, type SchemaElement } from "hyparquet-writer";
import type { MeterEnergy } from "../operations/read-energy.js";
import { ENERGY_COLUMNS, exact } from "./wire-energy-columns.js";

/** Packed and sent at once, in 25 ms; larger groups would hold up others for longer. */
const ROWS_OF_GROUP = 20_000;

type Column = (typeof ENERGY_COLUMNS)[number];

const text = { type: "BYTE_ARRAY", converted_type: "UTF8", repetition_type: "REQUIRED" } as const;
const number = { type: "DOUBLE", repetition_type: "OPTIONAL" } as const;

const columns: Readonly<Record<Column, Omit<SchemaElement, "name">>> = {
  timestamp: {
    type: "INT64",
    converted_type: "TIMESTAMP_MILLIS",
    logical_type: { type: "TIMESTAMP", isAdjustedToUTC: true, unit: "MILLIS" },
    repetition_type: "REQUIRED",
  },
  meter_id: text,
  meter_name: text,
  power_kw: number,
  energy_kwh: number,
  coverage: { ...number, repetition_type: "REQUIRED" },
};

const schema: SchemaElement[] = [
  { name: "root", num_children: ENERGY_COLUMNS.length },
  ...ENERGY_COLUMNS.map((name): SchemaElement => ({ name, ...columns[name] })),
];

/** The pieces as a Parquet file, one row group at a time: only one is ever in memory. */
export async function* energyParquet(pieces: AsyncIterable<MeterEnergy>): AsyncGenerator<Uint8Array> {
  const file = new ParquetFile();
  for await (const piece of pieces) {
    file.add(piece);
    if (file.rows >= ROWS_OF_GROUP) yield await file.takeGroup();
  }
  yield await file.takeGroup();
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
});

class ParquetFile {
  private group = noRows();
  private readonly bytes = new ByteWriter();
  private readonly writer = new ParquetWriter({ writer: this.bytes, schema, createdBy: "curtail" });

  get rows(): number {
    return this.group.timestamp.length;
  }

  add({ meter, sums }: MeterEnergy): void {
    const { group } = this;
    for (let index = 0; index < sums.present.length; index++) {
      const isKnown = sums.present[index] !== 0;
      group.timestamp.push(BigInt(sums.endMs(index)));
      group.meter_id.push(meter.id);
      group.meter_name.push(meter.name);
      group.power_kw.push(isKnown ? exact(sums.meanKw(index)) : null);
      group.energy_kwh.push(isKnown ? exact(sums.energyKwh(index)) : null);
      group.coverage.push(exact(sums.coverage(index)));
    }
  }

  async takeGroup(): Promise<Uint8Array> {
    const columnData = ENERGY_COLUMNS.map((name) => ({ name, data: this.group[name] }));
    await this.writer.write({ columnData, rowGroupSize: Math.max(1, this.rows) });
    this.group = noRows();
    return this.taken();
  }

  async takeEnd(): Promise<Uint8Array> {
    await this.writer.finish();
    return this.taken();
  }

  /** A copy: the writer reuses the memory. Offsets in the file count all bytes ever written. */
  private taken(): Uint8Array {
    const taken = this.bytes.getBytes().slice();
    this.bytes.index = 0;
    return taken;
  }
}
