import { randomBytes } from "node:crypto";
import { link, mkdir, open, readFile, rename, unlink } from "node:fs/promises";
import { dirname } from "node:path";

/** Contains keys, so only the owner has access. */
export const makeFolder = async (folder: string): Promise<void> => {
  await mkdir(folder, { recursive: true, mode: 0o700 });
};

/** null if the file does not exist. */
export const readText = async (file: string): Promise<string | null> => {
  try {
    return await readFile(file, "utf8");
  } catch (error) {
    if (codeOf(error) === "ENOENT") return null;
    throw error;
  }
};

/** Creates a file atomically unless it exists; returns its content. */
export const writeOnce = async (file: string, text: string): Promise<string> => {
  const draft = await writeDraft(file, text);
  try {
    // Unlike a rename, a link does not replace an existing file.
    await link(draft, file);
    await syncFolder(file);
  } catch (error) {
    if (codeOf(error) !== "EEXIST") throw error;
  } finally {
    await unlink(draft);
  }
  return readFile(file, "utf8");
};

/** Replaces a file atomically. */
export const replaceFile = async (file: string, text: string): Promise<void> => {
  await rename(await writeDraft(file, text), file);
  await syncFolder(file);
};

const writeDraft = async (file: string, text: string): Promise<string> => {
  const draft = `${file}.${randomBytes(6).toString("hex")}.new`;
  const handle = await open(draft, "wx", 0o600);
  try {
    await handle.writeFile(text);
    await handle.sync();
  } finally {
    await handle.close();
  }
  return draft;
};

/** A new file's name is durable only once its folder is synced. */
const syncFolder = async (file: string): Promise<void> => {
  const handle = await open(dirname(file), "r");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
};

const codeOf = (error: unknown): unknown => (error instanceof Error && "code" in error ? error.code : undefined);
