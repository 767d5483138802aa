import { link, open, readFile, rename, rm } from "node:fs/promises";
import { dirname } from "node:path";
import { syncFolder } from "./sync-folder.js";

/** Reads a file; null if there is none. */
export const readText = async (path: string): Promise<string | null> => {
  try {
    return await readFile(path, "utf8");
  } catch (error) {
    if (codeOf(error) === "ENOENT") return null;
    throw error;
  }
};

/** Creates a file for its owner alone, atomically; if another process was first, its file stays. Returns the content. */
export const writeOnce = async (path: string, text: string): Promise<string> => {
  const draft = await written(path, text);
  try {
    // Unlike a rename, a link does not replace an existing file.
    await link(draft, path);
  } catch (error) {
    if (codeOf(error) !== "EEXIST") throw error;
  } finally {
    await rm(draft);
  }
  await syncFolder(dirname(path));
  return readFile(path, "utf8");
};

/** Replaces a file atomically. */
export const replaceFile = async (path: string, text: string): Promise<void> => {
  await rename(await written(path, text), path);
  await syncFolder(dirname(path));
};

/** Writes a draft and syncs it: a key must reach the disk before it is used. */
const written = async (path: string, text: string): Promise<string> => {
  const draft = `${path}.${crypto.randomUUID()}.new`;
  const file = await open(draft, "wx", 0o600);
  try {
    await file.writeFile(text);
    await file.sync();
  } finally {
    await file.close();
  }
  return draft;
};

const codeOf = (error: unknown): string | undefined => (error as { code?: string }).code;
