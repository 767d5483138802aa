import { link, mkdir, open, readFile, rename, rm } from "node:fs/promises";
import { dirname } from "node:path";
import { syncFolder } from "../sync-folder.js";

/** Reads a key file; null if there is none. */
export const readKeyFile = async (path: string): Promise<string | null> => {
  try {
    return await readFile(path, "utf8");
  } catch (error) {
    if (codeOf(error) === "ENOENT") return null;
    throw error;
  }
};

/** Creates the file atomically; if another process was first, its file stays. */
export const makeKeyFile = async (path: string, text: string): Promise<void> => {
  await mkdir(dirname(path), { recursive: true });
  const temporary = await written(path, text);
  try {
    await link(temporary, path);
  } catch (error) {
    if (codeOf(error) !== "EEXIST") throw error;
  } finally {
    await rm(temporary);
  }
  await syncFolder(dirname(path));
};

export const replaceKeyFile = async (path: string, text: string): Promise<void> => {
  await rename(await written(path, text), path);
  await syncFolder(dirname(path));
};

/** Writes a temporary file and syncs it: a key must reach the disk before anything is encrypted with it. */
const written = async (path: string, text: string): Promise<string> => {
  const temporary = `${path}.${crypto.randomUUID()}`;
  const file = await open(temporary, "wx", 0o600);
  try {
    await file.writeFile(text);
    await file.sync();
  } finally {
    await file.close();
  }
  return temporary;
};

const codeOf = (error: unknown): string | undefined => (error as { code?: string }).code;
