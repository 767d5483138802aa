import { open, readFile, rename } from "node:fs/promises";
import { dirname } from "node:path";
import type { WatchState } from "./dispatch-changes.js";
import type { StateStore } from "./watch-dispatches.js";

/**
 * Keeps the state of `watchDispatches` in a file. It is replaced as a whole, so a crash or a loss of power leaves the
 * last state or the one before. One process at a time may use a file.
 *
 * @throws Error on `load` if the file holds something else; delete it to start from scratch
 */
export const fileState = (path: string): StateStore => ({
  load: async () => {
    const text = await readFile(path, "utf8").catch((error: NodeJS.ErrnoException) => {
      if (error.code === "ENOENT") return null;
      throw error;
    });
    return text === null ? null : stateOf(path, text);
  },
  save: (state) => replaceFile(path, JSON.stringify(state)),
});

/** Replaces a file as a whole: after a crash or a loss of power it has the old content or the new. */
export const replaceFile = async (path: string, text: string): Promise<void> => {
  const next = `${path}.new`;
  await written(next, text);
  await rename(next, path);
  await synced(dirname(path));
};

const stateOf = (path: string, text: string): WatchState => {
  const state = parsed(text) as Partial<WatchState> | null;
  if (typeof state?.seen === "object" && state.seen !== null) return { seen: state.seen };
  throw new Error(`${path} does not hold the state of a watch; delete it to start from scratch`);
};

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
};

const written = async (path: string, text: string): Promise<void> => {
  const file = await open(path, "w");
  try {
    await file.writeFile(text);
    await file.sync();
  } finally {
    await file.close();
  }
};

/** A renamed file survives a loss of power once its folder is synced. Windows cannot open folders and needs no sync. */
const synced = async (folder: string): Promise<void> => {
  if (process.platform === "win32") return;
  const opened = await open(folder, "r");
  try {
    await opened.sync();
  } finally {
    await opened.close();
  }
};
