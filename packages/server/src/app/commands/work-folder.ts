import { lstat, mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { removeLeftDirectory } from "@curtail/embedded-postgres";
import { hasEnded, isForgotten, keepTouched, OWNER, ownOwner } from "../../platform/files/file-owner.js";
import type { Logger } from "../../platform/runtime/logger.js";

/** Names the process that restores in a folder: by it, a later one knows what it may remove. */
const MARK = "curtail-restoring.json";
/** Data directory in a work folder. */
const DATA = "data";

/** Where the data directory of a work folder is made. */
export const dataIn = (folder: string): string => join(folder, DATA);

/** A folder that this process works in. */
export interface WorkFolder {
  remove(): Promise<void>;
}

/** Marks an empty folder as this process's, until it is removed. */
export const markWorkFolder = async (folder: string): Promise<WorkFolder> => {
  const mark = join(folder, MARK);
  await writeFile(mark, JSON.stringify({ owner: await ownOwner() }), { flag: "wx", mode: 0o600 });
  const done = keepTouched(mark);
  return {
    async remove() {
      done();
      await removeFolder(folder);
    },
  };
};

/** Makes a folder that only this user enters; fails where something has its name (EEXIST), also a link. */
export const makeWorkFolder = async (folder: string): Promise<WorkFolder> => {
  await mkdir(folder, { mode: 0o700 });
  return markWorkFolder(folder);
};

/**
 * What is at a path: nothing, what a killed process of this user left, what a running one uses or used two minutes ago, or
 * something else, such as a link.
 */
export const foundAt = async (folder: string): Promise<"nothing" | "left" | "in_use" | "foreign"> => {
  const found = await lstat(folder).catch(unlessMissing);
  if (found === null) return "nothing";
  if (!found.isDirectory() || found.uid !== (process.geteuid?.() ?? found.uid)) return "foreign";
  const names = await readdir(folder);
  // A process may be about to mark it.
  if (names.length === 0) return isForgotten(found.mtimeMs) ? "left" : "in_use";
  const owner = names.includes(MARK) ? ownerIn(await readFile(join(folder, MARK), "utf8")) : null;
  if (owner === null || (names.includes(DATA) && !(await lstat(dataIn(folder))).isDirectory())) return "foreign";
  return (await hasEnded(owner, (await lstat(join(folder, MARK))).mtimeMs)) ? "left" : "in_use";
};

/** Removes what was left, with the database that still runs in it. */
export const removeLeft = async (folder: string, logger: Logger): Promise<void> => {
  await removeLeftDirectory(dataIn(folder), logger);
  await removeFolder(folder);
};

const removeFolder = (folder: string): Promise<void> => rm(folder, { recursive: true, force: true, maxRetries: 5 });

/**
 * Removes what killed processes left in a folder, by the beginning of the names; whatever is not ours stays.
 *
 * @param onKept gets each path that stays, with the reason
 */
export const removeAllLeft = async (
  parent: string,
  prefix: string,
  { logger, onKept }: { readonly logger: Logger; readonly onKept: (path: string, reason: string) => void },
): Promise<void> => {
  for (const name of await readdir(parent)) {
    if (!name.startsWith(prefix)) continue;
    const folder = join(parent, name);
    try {
      const found = await foundAt(folder);
      if (found === "left") await removeLeft(folder, logger);
      else if (found === "in_use") onKept(folder, "another process works there, or was killed a moment ago");
      else if (found === "foreign") onKept(folder, "it has no mark of this user");
    } catch (error) {
      onKept(folder, error instanceof Error ? error.message : String(error));
    }
  }
};

const unlessMissing = (error: NodeJS.ErrnoException): null => {
  if (error.code === "ENOENT") return null;
  throw error;
};

const IS_OWNER = new RegExp(`^${OWNER}$`);

const ownerIn = (text: string): string | null => {
  try {
    const { owner } = JSON.parse(text) as { readonly owner?: unknown };
    return typeof owner === "string" && IS_OWNER.test(owner) ? owner : null;
  } catch {
    return null;
  }
};
