import { lstat, mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { hostname } from "node:os";
import { join } from "node:path";
import { removeLeftDirectory } from "@curtail/embedded-postgres";
import { isAlive } from "../platform/files/left-files.js";
import type { Logger } from "../platform/runtime/logger.js";

/** Names the process that restores in a folder: by it, a later one knows what it may remove. */
const MARK = "curtail-restoring.json";
/** Data directory in a work folder. */
const DATA = "data";

/** Where the data directory of a work folder is made. */
export const dataIn = (folder: string): string => join(folder, DATA);

/** Marks an empty folder as this process's. */
export const markWorkFolder = (folder: string): Promise<void> =>
  writeFile(join(folder, MARK), JSON.stringify({ host: hostname(), pid: process.pid }), { flag: "wx", mode: 0o600 });

/** Makes a folder that only this user enters; fails where something has its name (EEXIST), also a link. */
export const makeWorkFolder = async (folder: string): Promise<void> => {
  await mkdir(folder, { mode: 0o700 });
  await markWorkFolder(folder);
};

/**
 * What is at a path: nothing, what a killed process of this user left, what a running one uses, or something else, such as a
 * link.
 */
export const foundAt = async (folder: string): Promise<"nothing" | "left" | "in_use" | "foreign"> => {
  const found = await lstat(folder).catch(unlessMissing);
  if (found === null) return "nothing";
  if (!found.isDirectory() || found.uid !== (process.geteuid?.() ?? found.uid)) return "foreign";
  const names = await readdir(folder);
  if (names.length === 0) return "left";
  const mark = names.includes(MARK) ? parseMark(await readFile(join(folder, MARK), "utf8")) : null;
  if (mark === null || (names.includes(DATA) && !(await lstat(dataIn(folder))).isDirectory())) return "foreign";
  return mark.host === hostname() && !isAlive(mark.pid) ? "left" : "in_use";
};

/** Removes what was left, with the database that still runs in it. */
export const removeLeft = async (folder: string, logger: Logger): Promise<void> => {
  await removeLeftDirectory(dataIn(folder), logger);
  await removeWorkFolder(folder);
};

export const removeWorkFolder = (folder: string): Promise<void> =>
  rm(folder, { recursive: true, force: true, maxRetries: 5 });

/** Removes what killed processes left in a folder, by the beginning of the names; whatever is not ours stays. */
export const removeAllLeft = async (parent: string, prefix: string, logger: Logger): Promise<void> => {
  for (const name of await readdir(parent)) {
    if (!name.startsWith(prefix)) continue;
    const folder = join(parent, name);
    try {
      if ((await foundAt(folder)) === "left") await removeLeft(folder, logger);
    } catch (error) {
      logger.warn({ err: error, folder }, "what an earlier process left could not be removed");
    }
  }
};

const unlessMissing = (error: NodeJS.ErrnoException): null => {
  if (error.code === "ENOENT") return null;
  throw error;
};

const parseMark = (text: string): { readonly host: string; readonly pid: number } | null => {
  try {
    const { host, pid } = JSON.parse(text) as { readonly host?: unknown; readonly pid?: unknown };
    return typeof host === "string" && Number.isSafeInteger(pid) ? { host, pid: Number(pid) } : null;
  } catch {
    return null;
  }
};
