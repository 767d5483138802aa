import { type FileHandle, open, rename } from "node:fs/promises";
import { dirname } from "node:path";

/** A file that was created, renamed or removed survives a loss of power once its folder is synced. */
export const syncFolder = async (folder: string): Promise<void> => {
  // Windows cannot open folders, and needs no sync.
  if (process.platform === "win32") return;
  await withFile(open(folder, "r"), (handle) => handle.sync());
};

/** Replaces a file as a whole: after a crash it has the old content or the new. */
export const replaceFile = async (path: string, text: string): Promise<void> => {
  const next = `${path}.new`;
  await withFile(open(next, "w"), async (handle) => {
    await handle.writeFile(text);
    await handle.sync();
  });
  await rename(next, path);
  await syncFolder(dirname(path));
};

/** Opens a file, works with it and closes it, whatever happens. */
export const withFile = async <T>(
  opening: Promise<FileHandle>,
  work: (handle: FileHandle) => Promise<T>,
): Promise<T> => {
  const handle = await opening;
  try {
    return await work(handle);
  } finally {
    await handle.close();
  }
};

/** Null in place of an error that says that there is no such file. */
export const unlessMissing = async <T>(reading: Promise<T>): Promise<T | null> => {
  try {
    return await reading;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return null;
    throw error;
  }
};
