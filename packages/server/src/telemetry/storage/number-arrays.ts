import { ARRAY_HEADER_BYTES, arrayHeader, FLOAT8_OID, INT4_OID } from "./telemetry-encoding.js";

/** Numbers of a type: its oid, and how one is written. */
interface NumberType {
  readonly oid: number;
  readonly bytes: number;
  readonly put: (view: DataView, at: number, value: number) => void;
}

const INT4: NumberType = { oid: INT4_OID, bytes: 4, put: (view, at, value) => view.setInt32(at, value) };
const FLOAT8: NumberType = { oid: FLOAT8_OID, bytes: 8, put: (view, at, value) => view.setFloat64(at, value) };

/** An array in PostgreSQL's binary format: as text, numbers would be printed here and parsed there. */
const encoded = (values: Int32Array | Float64Array, { oid, bytes, put }: NumberType): Buffer => {
  const buffer = Buffer.allocUnsafe(ARRAY_HEADER_BYTES + values.length * (4 + bytes));
  const view = new DataView(buffer.buffer, buffer.byteOffset, buffer.byteLength);
  let at = arrayHeader(buffer, 0, oid, values.length, 1);
  for (const value of values) {
    view.setInt32(at, bytes);
    put(view, at + 4, value);
    at += 4 + bytes;
  }
  return buffer;
};

export const encodeInts = (values: Int32Array): Buffer => encoded(values, INT4);
export const encodeFloats = (values: Float64Array): Buffer => encoded(values, FLOAT8);
