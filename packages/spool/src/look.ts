import { open, readFile } from "node:fs/promises";
import { join } from "node:path";
import { unlessMissing, withFile } from "./durable.js";
import { holderOf } from "./lock.js";
import { readProgress } from "./progress.js";
import { recordsIn } from "./record.js";
import type { Segment } from "./segment.js";
import { ASIDE_FILE } from "./set-aside.js";
import { segmentsOf } from "./spool-files.js";
import type { SpooledRecord } from "./spooled-record.js";

/** What a spool holds, seen from outside. */
export interface SpoolLook {
  /** Records that are neither retired nor dropped. */
  readonly waiting: number;
  /** When the oldest of them was appended, in milliseconds of Unix time; null if there is none. */
  readonly oldestMs: number | null;
  /** Records that are in `set-aside.jsonl`. */
  readonly setAside: number;
  /** The process that uses the folder; null if none does. */
  readonly usedBy: number | null;
}

/**
 * Looks at the spool in a folder without opening it: another process may use it meanwhile, and nothing is changed.
 *
 * @returns null if there is no such folder
 * @example
 * const look = await lookAtSpool("readings");
 * if (look !== null && look.waiting > 0 && look.usedBy === null) warn(look.waiting);
 */
export const lookAtSpool = async (folder: string): Promise<SpoolLook | null> =>
  unlessMissing(
    (async () => {
      const usedBy = await holderOf(folder);
      const { from } = await readProgress(folder);
      const segments = await segmentsOf(folder);
      const waiting = Math.max(0, (segments.at(-1)?.next ?? from) - from);
      const { value: oldest } = await recordsOf(segments, from).next();
      const aside = await unlessMissing(readFile(join(folder, ASIDE_FILE), "utf8"));
      const setAside = (aside ?? "").split("\n").length - 1;
      return { waiting, oldestMs: oldest?.atMs ?? null, setAside, usedBy };
    })(),
  );

/** The records that wait in a folder, oldest first, read without opening the spool. */
export async function* waitingRecords(folder: string): AsyncGenerator<SpooledRecord, undefined> {
  const segments = await unlessMissing(segmentsOf(folder));
  if (segments !== null) yield* recordsOf(segments, (await readProgress(folder)).from);
  return undefined;
}

/** One segment is in memory at a time. One that its user has emptied meanwhile is passed over. */
async function* recordsOf(segments: readonly Segment[], from: number): AsyncGenerator<SpooledRecord, undefined> {
  for (const { path, first, next } of segments) {
    if (next <= from) continue;
    const content = await unlessMissing(withFile(open(path, "r"), (handle) => handle.readFile()));
    for (const { end: _, ...record } of recordsIn(content ?? Buffer.alloc(0), 0, first))
      if (record.position >= from) yield record;
  }
  return undefined;
}
