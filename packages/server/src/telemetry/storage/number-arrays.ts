import { ARRAY_HEADER_BYTES, arrayHeader, FLOAT8_OID, INT4_OID } from "./telemetry-encoding.js";

/** An array of integers in PostgreSQL's binary format: as text, numbers would be printed here and parsed there. */
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
