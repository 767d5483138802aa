import { type FileHandle, open, readFile, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { syncFolder, withFile } from "./durable.js";
import { recordsIn } from "./record.js";
import type { SpooledRecord } from "./spooled-record.js";

/** A file of consecutive records. */
export interface Segment {
  readonly path: string;
  /** Position of its first record. */
  readonly first: number;
  /** Position after its last record. */
  readonly next: number;
  /** Bytes up to the end of its last record. */
  readonly bytes: number;
  /** Time of its newest record, in milliseconds of Unix time. */
  readonly newestMs: number;
  /** Records that were damaged, and are lost. */
  readonly damaged: number;
}

const NAME = /^segment-(\d{16})\.log$/;
const DIGITS = 16;

export const segmentPath = (folder: string, first: number): string =>
  join(folder, `segment-${String(first).padStart(DIGITS, "0")}.log`);

/** Position of the first record of a segment; null if the name is not that of a segment. */
export const firstOf = (name: string): number | null => {
  const digits = NAME.exec(name)?.[1];
  return digits === undefined ? null : Number(digits);
};

/** Reads what a segment holds. */
export const readSegment = async (path: string, first: number): Promise<Segment> => {
  const content = await readFile(path);
  let [next, bytes, newestMs, whole] = [first, 0, 0, 0];
  for (const { position, end, atMs } of recordsIn(content, 0, first)) {
    [next, bytes, newestMs] = [position + 1, end, Math.max(newestMs, atMs)];
    whole += 1;
  }
  return { path, first, next, bytes, newestMs, damaged: next - first - whole };
};

/** Cuts off what a crash left behind the last whole record. */
export const cutTail = ({ path, bytes }: Segment): Promise<void> =>
  withFile(open(path, "r+"), async (handle) => {
    const { size } = await handle.stat();
    if (size === bytes) return;
    await handle.truncate(bytes);
    await handle.sync();
  });

/** Creates a segment. Its folder is synced, so that the file survives a loss of power as its records do. */
export const createSegment = async (
  folder: string,
  first: number,
): Promise<{ segment: Segment; handle: FileHandle }> => {
  const path = segmentPath(folder, first);
  const handle = await open(path, "wx");
  try {
    await syncFolder(folder);
  } catch (error) {
    await handle.close();
    throw error;
  }
  return { segment: { path, first, next: first, bytes: 0, newestMs: 0, damaged: 0 }, handle };
};

export const removeSegment = async ({ path }: Segment): Promise<void> => {
  await rm(path);
  await syncFolder(dirname(path));
};

/** Records from a position on, up to a number of them; only what the segment is known to hold. */
export const recordsFrom = async (
  { path, bytes, first }: Segment,
  { offset, from, limit }: { readonly offset: number; readonly from: number; readonly limit: number },
): Promise<{ readonly records: readonly SpooledRecord[]; readonly offset: number }> => {
  const content = Buffer.alloc(bytes - offset);
  await withFile(open(path, "r"), (handle) => handle.read(content, 0, content.length, offset));
  const records: SpooledRecord[] = [];
  // Where the first record of these begins: the next call starts there.
  let start = 0;
  for (const { end, ...record } of recordsIn(content, 0, first)) {
    if (record.position < from) start = end;
    else records.push(record);
    if (records.length >= limit) break;
  }
  return { records, offset: offset + start };
};
