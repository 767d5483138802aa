import { crc32 } from "node:zlib";
import type { SpooledRecord } from "./spooled-record.js";

/** A record with the place of its end in the segment. */
export interface PlacedRecord extends SpooledRecord {
  readonly end: number;
}

/** Length and checksum, then what the checksum covers besides the payload: position and time. Little-endian. */
const [LENGTH, CHECKSUM, POSITION, TIME, HEADER_BYTES] = [0, 4, 8, 16, 24];

export const MAX_PAYLOAD_BYTES = 1024 * 1024;

/** Bytes of a record in a segment. */
export const sizeOf = (payload: Uint8Array): number => HEADER_BYTES + payload.length;

/** The bytes of a record in a segment: length, CRC-32, position, time and payload. */
export const encoded = ({ position, atMs, payload }: SpooledRecord): Buffer => {
  const bytes = Buffer.alloc(sizeOf(payload));
  bytes.writeUInt32LE(payload.length, LENGTH);
  bytes.writeBigUInt64LE(BigInt(position), POSITION);
  bytes.writeDoubleLE(atMs, TIME);
  bytes.set(payload, HEADER_BYTES);
  bytes.writeUInt32LE(checksumOf(bytes), CHECKSUM);
  return bytes;
};

/** The length is covered, too: it comes first. */
const checksumOf = (bytes: Buffer): number => crc32(bytes.subarray(POSITION), crc32(bytes.subarray(LENGTH, CHECKSUM)));

/** The record that begins at an offset; null if none does, or if it is not whole. */
const recordAt = (bytes: Buffer, offset: number, least: number): PlacedRecord | null => {
  if (offset + HEADER_BYTES > bytes.length) return null;
  const length = bytes.readUInt32LE(offset + LENGTH);
  const end = offset + HEADER_BYTES + length;
  if (length > MAX_PAYLOAD_BYTES || end > bytes.length) return null;
  const position = Number(bytes.readBigUInt64LE(offset + POSITION));
  if (position < least) return null;
  const whole = bytes.subarray(offset, end);
  if (whole.readUInt32LE(CHECKSUM) !== checksumOf(whole)) return null;
  const atMs = whole.readDoubleLE(TIME);
  return { position, atMs, payload: Uint8Array.prototype.slice.call(whole, HEADER_BYTES), end };
};

/**
 * Every whole record of a segment from an offset on. Damaged bytes between two records are skipped, so that one flipped
 * bit does not lose what follows it.
 *
 * @param least position of the next record; lower ones are not records
 */
export function* recordsIn(bytes: Buffer, offset: number, least: number): Generator<PlacedRecord> {
  for (let [at, next] = [offset, least]; at + HEADER_BYTES <= bytes.length; ) {
    const record = recordAt(bytes, at, next);
    if (record === null) {
      at += 1;
      continue;
    }
    yield record;
    [at, next] = [record.end, record.position + 1];
  }
}
