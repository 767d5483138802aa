import type { ModbusPoint } from "../config/modbus-config.js";

/** Registers that a value takes. */
export const widthOf = ({ type }: Pick<ModbusPoint, "type">): 1 | 2 =>
  type === "int32" || type === "uint32" || type === "float32" ? 2 : 1;

type Format = Pick<ModbusPoint, "type" | "wordOrder">;

/** The value in a point's registers; bytes of a register are in network order. */
export const decodeRegisters = (registers: readonly number[], { type, wordOrder }: Format): number => {
  const bytes = Buffer.alloc(4);
  const ordered = wordOrder === "little" ? registers.toReversed() : registers;
  for (const [index, register] of ordered.entries()) bytes.writeUInt16BE(register, index * 2);
  return readers[type](bytes);
};

const readers: Readonly<Record<ModbusPoint["type"], (bytes: Buffer) => number>> = {
  int16: (bytes) => bytes.readInt16BE(),
  uint16: (bytes) => bytes.readUInt16BE(),
  int32: (bytes) => bytes.readInt32BE(),
  uint32: (bytes) => bytes.readUInt32BE(),
  float32: (bytes) => bytes.readFloatBE(),
  bit: (bytes) => bytes.readUInt16BE(),
};

/**
 * The registers of a value; whole-numbered types are rounded.
 *
 * @throws RangeError if the type cannot hold the value
 */
export const encodeRegisters = (value: number, { type, wordOrder }: Format): readonly number[] => {
  const bytes = Buffer.alloc(4);
  // Buffers take NaN for 0.
  if (!Number.isFinite(value)) throw new RangeError(`${value} does not fit into ${type}`);
  try {
    writers[type](bytes, type === "float32" ? value : Math.round(value));
  } catch {
    throw new RangeError(`${value} does not fit into ${type}`);
  }
  const registers = [bytes.readUInt16BE(0), bytes.readUInt16BE(2)].slice(0, widthOf({ type }));
  return wordOrder === "little" ? registers.toReversed() : registers;
};

const writers: Readonly<Record<ModbusPoint["type"], (bytes: Buffer, value: number) => void>> = {
  int16: (bytes, value) => void bytes.writeInt16BE(value),
  uint16: (bytes, value) => void bytes.writeUInt16BE(value),
  int32: (bytes, value) => void bytes.writeInt32BE(value),
  uint32: (bytes, value) => void bytes.writeUInt32BE(value),
  float32: (bytes, value) => void bytes.writeFloatBE(value),
  bit: (bytes, value) => void bytes.writeUInt16BE(value),
};
