import { ByteWriter, ParquetWriter, type SchemaElement } from "hyparquet-writer";

/** A column without its name. */
export type ParquetColumn = Omit<SchemaElement, "name">;

export const textColumn: ParquetColumn = {
  type: "BYTE_ARRAY",
  converted_type: "UTF8",
  repetition_type: "REQUIRED",
};
/** Milliseconds since 1970 as bigint. */
export const timeColumn: ParquetColumn = {
  type: "INT64",
  converted_type: "TIMESTAMP_MILLIS",
  logical_type: { type: "TIMESTAMP", isAdjustedToUTC: true, unit: "MILLIS" },
  repetition_type: "REQUIRED",
};
export const integerColumn: ParquetColumn = { type: "INT32", repetition_type: "REQUIRED" };
export const numberColumn: ParquetColumn = { type: "DOUBLE", repetition_type: "REQUIRED" };

/** The bytes of a Parquet file, one row group at a time: only one is ever in memory. */
export class ParquetFile<Name extends string> {
  private readonly names: readonly Name[];
  private readonly bytes = new ByteWriter();
  private readonly writer: ParquetWriter;

  constructor(columns: Readonly<Record<Name, ParquetColumn>>) {
    this.names = Object.keys(columns) as Name[];
    const root: SchemaElement = { name: "root", num_children: this.names.length };
    const schema = [root, ...this.names.map((name): SchemaElement => ({ name, ...columns[name] }))];
    this.writer = new ParquetWriter({ writer: this.bytes, schema, createdBy: "curtail" });
  }

  /** The next row group; its columns have the same length. */
  async takeGroup(rows: Readonly<Record<Name, unknown[]>>): Promise<Uint8Array> {
    const columnData = this.names.map((name) => ({ name, data: rows[name] }));
    await this.writer.write({ columnData, rowGroupSize: Math.max(1, columnData[0]?.data.length ?? 0) });
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
