import { mkdir, readFile, rm } from "node:fs/promises";
import { dirname } from "node:path";
import type { WatchState } from "@curtail/client";
import { replaceFile } from "@curtail/client/node";
import type { Followed } from "./site-signals.js";

/** What a dispatch node has sent, kept over restarts. */
export interface Told extends WatchState {
  readonly followed: Followed;
}

export const NOTHING_TOLD: Told = { seen: {}, followed: {} };

/** A file with what was sent. */
export interface DispatchMemory {
  /** Nothing, if there is no file. A file that is damaged is reported, and nothing is known. */
  readonly load: (report: (text: string) => void) => Promise<Told>;
  readonly save: (told: Told) => Promise<void>;
  readonly remove: () => Promise<void>;
}

/** @param path null: nothing is kept, as Node-RED has no user directory */
export const dispatchMemory = (path: string | null): DispatchMemory => ({
  async load(report) {
    const text = path === null ? null : await readFile(path, "utf8").catch(noFile);
    if (text === null) return NOTHING_TOLD;
    const told = toldIn(text);
    if (told === null) report(`${path} is damaged; upcoming dispatches are told again`);
    return told ?? NOTHING_TOLD;
  },
  async save(told) {
    if (path === null) return;
    await mkdir(dirname(path), { recursive: true });
    await replaceFile(path, JSON.stringify(told));
  },
  async remove() {
    if (path !== null) await rm(path, { force: true });
  },
});

const noFile = (error: NodeJS.ErrnoException): null => {
  if (error.code === "ENOENT") return null;
  throw error;
};

const toldIn = (text: string): Told | null => {
  try {
    const { seen, followed } = JSON.parse(text) as Partial<Told>;
    return isObject(seen) && isObject(followed) ? { seen, followed } : null;
  } catch {
    return null;
  }
};

const isObject = (value: unknown): value is object =>
  typeof value === "object" && value !== null && !Array.isArray(value);
