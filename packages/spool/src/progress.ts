import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { replaceFile, unlessMissing } from "./durable.js";

/** How far a spool is emptied. */
export interface Progress {
  /** Position of the first record that is neither retired nor dropped. */
  readonly from: number;
  /** Records that were dropped because of a limit, ever. */
  readonly dropped: number;
}

const FILE = "progress.json";

export const readProgress = async (folder: string): Promise<Progress> => {
  const path = join(folder, FILE);
  const text = await unlessMissing(readFile(path, "utf8"));
  if (text === null) return { from: 0, dropped: 0 };
  const { from, dropped } = parsed(text);
  if (Number.isSafeInteger(from) && Number.isSafeInteger(dropped)) return { from, dropped } as Progress;
  throw new Error(`${path} is damaged; delete it to send all records of the spool again, which does no harm`);
};

const parsed = (text: string): Partial<Progress> => {
  try {
    return (JSON.parse(text) ?? {}) as Partial<Progress>;
  } catch {
    return {};
  }
};

export const writeProgress = (folder: string, progress: Progress): Promise<void> =>
  replaceFile(join(folder, FILE), `${JSON.stringify(progress)}\n`);
