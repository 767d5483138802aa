import { randomUUID } from "node:crypto";
import { type FileHandle, mkdir, open, readdir, readFile, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { MeterFileOptions } from "./upload-options.js";

/** Meter data that was read from standard input as a whole, and is not in the spool yet. */
export interface KeptInput {
  readonly folder: string;
  readonly options: MeterFileOptions;
  readonly content: Uint8Array;
}

const [OPTIONS, CONTENT] = ["options.json", "content"];
/** Inputs that were not written to their end. */
const UNFINISHED = ".unfinished";

/** Where inputs are kept next to the spools of a folder. */
export const inputsIn = (folder: string): string => join(folder, "inputs");

/** Keeps an input over a crash and a loss of power, with how it is to be read; returns its folder. */
export const keepInput = async (
  folder: string,
  { content, options, now }: Omit<KeptInput, "folder"> & { readonly now: Date },
): Promise<string> => {
  // The name is the order.
  const path = join(folder, `${now.toISOString().replaceAll(":", "")}-${randomUUID().slice(0, 8)}`);
  const unfinished = `${path}${UNFINISHED}`;
  await mkdir(unfinished, { recursive: true, mode: 0o700 });
  await write(join(unfinished, CONTENT), content);
  const { meter, timezone, intervalSeconds, mappingProfile, format } = options;
  await write(join(unfinished, OPTIONS), JSON.stringify({ meter, timezone, intervalSeconds, mappingProfile, format }));
  await sync(unfinished);
  await rename(unfinished, path);
  await sync(folder);
  return path;
};

/** How many inputs wait, seen from outside: nothing is changed. */
export const inputsWaiting = async (folder: string): Promise<number> => {
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return [];
    throw error;
  });
  return names.filter((name) => !name.endsWith(UNFINISHED)).length;
};

/** Oldest first. Removes what a crash left half written. */
export const keptInputs = async (folder: string): Promise<readonly string[]> => {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const names = (await readdir(folder)).toSorted();
  for (const name of names.filter((each) => each.endsWith(UNFINISHED)))
    await rm(join(folder, name), { recursive: true, force: true });
  return names.filter((each) => !each.endsWith(UNFINISHED)).map((name) => join(folder, name));
};

export const readInput = async (folder: string): Promise<KeptInput> => ({
  folder,
  options: JSON.parse(await readFile(join(folder, OPTIONS), "utf8")) as MeterFileOptions,
  content: await readFile(join(folder, CONTENT)),
});

export const forgetInput = ({ folder }: KeptInput): Promise<void> => rm(folder, { recursive: true });

/** Moves an input that cannot be read out of the way; returns the file with its content. */
export const moveAway = async ({ folder }: KeptInput, to: string): Promise<string> => {
  const moved = join(to, folder.slice(dirname(folder).length + 1));
  await mkdir(to, { recursive: true, mode: 0o700 });
  await rename(folder, moved);
  return join(moved, CONTENT);
};

const write = (path: string, content: Uint8Array | string): Promise<void> =>
  using(open(path, "w", 0o600), async (file) => {
    await file.writeFile(content);
    await file.sync();
  });

const using = async (opening: Promise<FileHandle>, work: (file: FileHandle) => Promise<void>): Promise<void> => {
  const file = await opening;
  try {
    await work(file);
  } finally {
    await file.close();
  }
};

const sync = async (folder: string): Promise<void> => {
  // Windows cannot open folders, and needs no sync.
  if (process.platform === "win32") return;
  await using(open(folder, "r"), (handle) => handle.sync());
};
