import { link, lstat, mkdir, open, readdir, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { syncFolder } from "../sync-folder.js";
import { hasEnded, keepTouched, OWNER, ownOwner } from "./file-owner.js";

/** Writes a file for the service's user alone, and syncs it; it may not be there yet. */
export const writeNewFile = async (path: string, content: AsyncIterable<Uint8Array>): Promise<number> => {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const file = await open(path, "wx", 0o600);
  let bytes = 0;
  try {
    for await (const piece of content) {
      await file.writeFile(piece);
      bytes += piece.length;
    }
    await file.sync();
  } finally {
    await file.close();
  }
  await syncFolder(dirname(path));
  return bytes;
};

export interface WholeFileOptions {
  /** Gives a file a second name. */
  readonly linked?: typeof link;
  /** Gets each half-written file of another process that stays, with the reason. */
  readonly onKept?: ((path: string, reason: string) => void) | undefined;
}

/**
 * Writes a file that gets its name when it is whole; one that has the name is never written over (EEXIST). Returns its
 * size. What a killed process left half written in the folder is removed first.
 */
export const writeWholeFile = async (
  path: string,
  content: AsyncIterable<Uint8Array>,
  { linked = link, onKept }: WholeFileOptions = {},
): Promise<number> => {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  for (const name of await removeLeftParts(dirname(path)))
    onKept?.(join(dirname(path), name), "another process writes it, or it was left by one that cannot be asked for");
  const { part, done } = await partOf(path);
  try {
    const bytes = await writeNewFile(part, content);
    await named(part, path, linked);
    return bytes;
  } finally {
    await rm(part, { force: true });
    done();
    await syncFolder(dirname(path));
  }
};

/** How file systems without links refuse them: exFAT, FAT and SMB. */
const WITHOUT_LINKS = ["EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS"];

const named = async (part: string, path: string, linked: typeof link): Promise<void> => {
  try {
    await linked(part, path);
  } catch (error) {
    if (!WITHOUT_LINKS.includes((error as NodeJS.ErrnoException).code ?? "")) throw error;
    await renamed(part, path);
  }
};

/** The name is taken by an empty file first, which nobody else can take then; the whole one replaces it. */
const renamed = async (part: string, path: string): Promise<void> => {
  await (await open(path, "wx", 0o600)).close();
  try {
    await rename(part, path);
  } catch (error) {
    await rm(path, { force: true });
    throw error;
  }
};

const PART = new RegExp(String.raw`\.(${OWNER})\.[0-9a-f-]{36}\.part$`);

/** A name next to `path` for a file until it is whole, which names the process that writes it; call `done` at the end. */
const partOf = async (path: string): Promise<{ readonly part: string; readonly done: () => void }> => {
  const part = `${path}.${await ownOwner()}.${crypto.randomUUID()}.part`;
  return { part, done: keepTouched(part) };
};

/** Removes the parts that killed processes of this user left in a folder; returns the names of those that stay. */
const removeLeftParts = async (folder: string): Promise<readonly string[]> => {
  const kept: string[] = [];
  for (const name of await readdir(folder)) {
    const [, owner] = PART.exec(name) ?? [];
    const path = join(folder, name);
    const found = owner === undefined ? null : await lstat(path).catch(() => null);
    if (owner === undefined || found === null) continue;
    const isOurs = found.isFile() && found.uid === (process.geteuid?.() ?? found.uid);
    if (isOurs && (await hasEnded(owner, found.mtimeMs))) await rm(path, { force: true });
    else kept.push(name);
  }
  return kept;
};
