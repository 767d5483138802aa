import { lstat, opendir } from "node:fs/promises";
import { join } from "node:path";

/** A file in a watched folder, as it was when it was looked at. */
export interface FoundFile {
  /** Its path in the folder: `done/usage.csv` of one that was moved and went on growing. */
  readonly name: string;
  readonly bytes: number;
  readonly modified_at: string;
}

interface Look {
  /** Oldest first. */
  readonly files: readonly FoundFile[];
  /** Whether there is more than one look takes in. */
  readonly hasMore: boolean;
  /** Names that no text can hold, as they are read: nothing can be done with their files. */
  readonly notUtf8: readonly string[];
}

/** Names that one look reads, those that it asks the file system about, which may be on a network, and files it finds. */
export const MOST = { names: 100_000, asked: 20_000, files: 1000 } as const;
const MOST_NOT_UTF8 = 100;
/** Bytes that are no UTF-8 are read as this, under which no file is found. */
const REPLACEMENT = "\uFFFD";

/** What waits in a folder: files with something in them, other than those that programs write under another name first. */
export const lookInto = async (
  folder: string,
  leftOut: ReadonlySet<string>,
  most: Readonly<Record<keyof typeof MOST, number>> = MOST,
): Promise<Look> => {
  const names: string[] = [];
  let read = 0;
  for await (const entry of await opendir(folder)) {
    read += 1;
    // A network folder may not state the type of an entry before it is asked.
    const isOther = entry.isDirectory() || entry.isSymbolicLink();
    if (!isOther && !isUnfinished(entry.name) && !leftOut.has(entry.name)) names.push(entry.name);
    if (read === most.names) break;
  }
  const files: FoundFile[] = [];
  const notUtf8: string[] = [];
  let asked = 0;
  // Most names of meter data have a date in them.
  for (const name of names.toSorted()) {
    if (asked === most.asked || files.length === most.files) break;
    asked += 1;
    const found = await fileAt(folder, name);
    if (found !== null && found.bytes > 0) files.push(found);
    if (found === null && name.includes(REPLACEMENT) && notUtf8.length < MOST_NOT_UTF8) notUtf8.push(name);
  }
  const byAge = files.toSorted((a, b) => a.modified_at.localeCompare(b.modified_at));
  return { files: byAge, hasMore: read === most.names || asked < names.length, notUtf8 };
};

/** Null for what is no file: it was taken away meanwhile, or is a link, which may lead anywhere. */
export const fileAt = async (folder: string, name: string): Promise<FoundFile | null> => {
  try {
    const stat = await lstat(join(folder, name));
    return stat.isFile() ? { name, bytes: stat.size, modified_at: stat.mtime.toISOString() } : null;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return null;
    throw error;
  }
};

export const isSameFile = (a: FoundFile, b: FoundFile): boolean =>
  a.name === b.name && a.bytes === b.bytes && a.modified_at === b.modified_at;

/** How programs that copy files name those that are not whole yet. */
const isUnfinished = (name: string): boolean => name.startsWith(".") || /\.(part|tmp|filepart)$/i.test(name);

/** Finds files that have stopped growing. */
export class Settling {
  private seen: ReadonlyMap<string, FoundFile & { readonly sinceMs: number }> = new Map();

  constructor(private readonly settledMs: number) {}

  /**
   * @param nowMs of a clock that nobody sets
   * @returns those that have been the same for long enough, in their order
   */
  settled(files: readonly FoundFile[], nowMs: number): readonly FoundFile[] {
    const seen = files.map((file) => {
      const before = this.seen.get(file.name);
      return { ...file, sinceMs: before !== undefined && isSameFile(before, file) ? before.sinceMs : nowMs };
    });
    this.seen = new Map(seen.map((file) => [file.name, file]));
    return files.filter((_, at) => nowMs - (seen[at]?.sinceMs ?? nowMs) >= this.settledMs);
  }
}
