import { crc32, deflateRawSync, inflateRawSync } from "node:zlib";
import { NewerFormat } from "../../platform/newer-format.js";
import { packCells, unpackCells } from "../domain/day-cells.js";

const VERSION = 1;
// How the content is stored.
const AS_IS = 0;
const DEFLATED = 1;

const HEADER_BYTES = 2; // version, how it is stored
const CHECKSUM_BYTES = 4;
/** More than any day takes; a block that claims more is not inflated. */
const MOST_BYTES = 65_536;
/** Differences of readings are noise: searching longer for repeats finds next to none. */
const FASTEST = { level: 1 };

export class DamagedDay extends Error {
  constructor(what: string, cause?: unknown) {
    super(`a packed day of telemetry is damaged (${what}); restore telemetry_days from a backup`, { cause });
  }
}

/** A day of a meter as stored: its content, and a checksum of all bytes before. */
export const encodeDay = (cells: Float64Array): Buffer => {
  const content = packCells(cells);
  const deflated = deflateRawSync(content, FASTEST);
  const block = deflated.length < content.length ? blockOf(DEFLATED, deflated) : blockOf(AS_IS, content);
  // The rows it replaces are deleted.
  if (!isSameDay(decodeDay(block), cells)) throw new Error("a packed day differs from its readings; it is not stored");
  return block;
};

/** Throws if the block is damaged or of a newer version. */
export const decodeDay = (block: Buffer): Float64Array => {
  const end = block.length - CHECKSUM_BYTES;
  if (end < HEADER_BYTES || crc32(block.subarray(0, end)) !== block.readUInt32LE(end))
    throw new DamagedDay("its checksum is wrong");
  if (block[0] !== VERSION) throw new NewerFormat("a day of telemetry");
  const content = block.subarray(HEADER_BYTES, end);
  try {
    return unpackCells(block[1] === DEFLATED ? inflateRawSync(content, { maxOutputLength: MOST_BYTES }) : content);
  } catch (error) {
    throw new DamagedDay("its content is wrong", error);
  }
};

const blockOf = (how: number, content: Uint8Array): Buffer => {
  const block = Buffer.allocUnsafe(HEADER_BYTES + content.length + CHECKSUM_BYTES);
  block[0] = VERSION;
  block[1] = how;
  block.set(content, HEADER_BYTES);
  const end = block.length - CHECKSUM_BYTES;
  block.writeUInt32LE(crc32(block.subarray(0, end)), end);
  return block;
};

// Gaps may be of any bits, so days of different bytes are compared cell by cell.
const isSameDay = (a: Float64Array, b: Float64Array): boolean =>
  bytesOf(a).equals(bytesOf(b)) || a.every((kw, cell) => Object.is(kw, b[cell]));

const bytesOf = ({ buffer, byteOffset, byteLength }: Float64Array): Buffer =>
  Buffer.from(buffer, byteOffset, byteLength);
