import { open, readFile } from "node:fs/promises";
import { join } from "node:path";
import { syncFolder, unlessMissing, withFile } from "./durable.js";
import type { SpooledRecord } from "./spooled-record.js";

/** A line of `set-aside.jsonl`. */
export interface AsideLine {
  /** Position of the record. */
  readonly position: number;
  /** When the record was appended, RFC 3339. */
  readonly appended_at: string;
  /** Why it was refused. */
  readonly reason: string;
  /** The record as text. */
  readonly record: string;
}

export const ASIDE_FILE = "set-aside.jsonl";

/** Records that will not be sent again, one to a line, each once. */
export class AsideFile {
  private constructor(
    private readonly folder: string,
    private readonly written: Set<string>,
  ) {}

  static async open(folder: string): Promise<AsideFile> {
    const content = await unlessMissing(readFile(join(folder, ASIDE_FILE)));
    if (content === null) return new AsideFile(folder, new Set());
    const end = content.lastIndexOf("\n") + 1;
    // A crash left half a line.
    if (end < content.length) await withFile(open(join(folder, ASIDE_FILE), "r+"), (handle) => handle.truncate(end));
    const lines = content.toString("utf8", 0, end).split("\n").slice(0, -1);
    return new AsideFile(folder, new Set(lines.map(keyOfLine)));
  }

  get count(): number {
    return this.written.size;
  }

  /** Returns when the line is stored permanently. */
  async add({ position, atMs, payload }: SpooledRecord, reason: string): Promise<void> {
    const appended_at = new Date(atMs).toISOString();
    if (this.written.has(keyOf({ position, appended_at }))) return;
    const line: AsideLine = { position, appended_at, reason, record: Buffer.from(payload).toString("utf8") };
    await withFile(open(join(this.folder, ASIDE_FILE), "a"), async (handle) => {
      await handle.writeFile(`${JSON.stringify(line)}\n`);
      await handle.sync();
    });
    if (this.written.size === 0) await syncFolder(this.folder);
    this.written.add(keyOf(line));
  }
}

/** A spool that was deleted counts its positions from 0 again, so the time belongs to it. */
const keyOf = ({ position, appended_at }: Pick<AsideLine, "position" | "appended_at">): string =>
  `${position} ${appended_at}`;

/** A damaged line stays, and stands for no record. */
const keyOfLine = (line: string): string => {
  try {
    return keyOf(JSON.parse(line) as AsideLine);
  } catch {
    return line;
  }
};
