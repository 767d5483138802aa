import { createHash } from "node:crypto";
import { existsSync, lstatSync, mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join, parse } from "node:path";
import { lockFolder, SpoolInUse } from "@curtail/spool";
import { CommandFailure } from "../admin-io.js";
import { unusable } from "../whole-file.js";

/** Folder to which a file of a watched folder is moved. */
export type Verdict = "done" | "refused";

/** A watched folder, and what the watch keeps in it. */
export interface Places {
  readonly folder: string;
  /** Progress of the file that is being uploaded, and of the watch itself. */
  readonly own: string;
  readonly progress: string;
  readonly state: string;
  readonly summary: string;
}

export const SUMMARY = "summary.log";

export const placesIn = (folder: string): Places => {
  const own = join(folder, ".curtail");
  return {
    folder,
    own,
    progress: join(own, "progress.json"),
    state: join(own, "watch.json"),
    summary: join(folder, SUMMARY),
  };
};

/** Makes the folders and locks the watched one; returns what releases it. Throws a `CommandFailure`. */
export const claimPlaces = async ({ folder, own }: Places): Promise<() => Promise<void>> => {
  if (!isFolder(folder)) throw new CommandFailure(`${folder} is not a folder`);
  makeFolder(own, true);
  for (const path of [join(folder, "done"), join(folder, "refused")]) {
    makeFolder(path, false);
    requireRename(own, path);
  }
  try {
    return await lockFolder(own);
  } catch (error) {
    if (!(error instanceof SpoolInUse)) throw unusable(own, "written", { error });
    throw new CommandFailure(
      `${folder} is watched by process ${error.pid}; a folder has one watch at a time`,
      undefined,
      {
        cause: error,
      },
    );
  }
};

const isFolder = (path: string): boolean => lstatSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;

const makeFolder = (path: string, isPrivate: boolean): void => {
  try {
    mkdirSync(path, { recursive: true, ...(isPrivate ? { mode: 0o700 } : {}) });
  } catch (error) {
    throw unusable(path, "written", { error });
  }
  // Who may put files here may put a link here, which could lead anywhere.
  if (!isFolder(path)) throw new CommandFailure(`${path} is a link; remove it: it must be a folder of its own`);
};

/** Only a rename finds out: two mounts of one file system have the same number. */
const requireRename = (own: string, to: string): void => {
  const [probe, moved] = [join(own, "probe"), join(to, ".curtail-probe")];
  try {
    writeFileSync(probe, "");
    renameSync(probe, moved);
    rmSync(moved);
  } catch (error) {
    // Anything else may pass: it is said when a file is to be moved.
    if ((error as NodeJS.ErrnoException).code !== "EXDEV") return;
    rmSync(probe);
    const words = `${to} is on another file system; done/ and refused/ must be on that of the watched folder, without a mount of their own`;
    throw new CommandFailure(words, undefined, { cause: error });
  }
};

/** Where the faults of a file wait until it is moved. @param to where it goes */
export const waitingFaults = ({ own }: Pick<Places, "own">, to: string): string =>
  join(own, `faults-${createHash("sha256").update(to).digest("hex").slice(0, 16)}.txt`);

export const faultsFileOf = (file: string): string => `${file}.faults.txt`;

/**
 * A name that is free in `done` or `refused`, with that of its faults: the file's own, or with a number.
 *
 * @param promised to files that are not moved yet
 */
export const freePlace = (folder: string, verdict: Verdict, name: string, promised: readonly string[] = []): string => {
  const { name: stem, ext } = parse(name);
  for (let number = 1; ; number++) {
    const suffix = number === 1 ? ext : `-${number}${ext}`;
    const place = join(folder, verdict, `${cut(stem, MOST_NAME_BYTES - Buffer.byteLength(suffix))}${suffix}`);
    const isTaken = promised.includes(place) || existsSync(place) || existsSync(faultsFileOf(place));
    if (!isTaken) return place;
  }
};

/** File systems allow 255; the name of the faults is longer. */
const MOST_NAME_BYTES = 240;

const cut = (text: string, bytes: number): string => {
  let kept = text;
  while (Buffer.byteLength(kept) > bytes) kept = kept.slice(0, -1);
  return kept;
};
