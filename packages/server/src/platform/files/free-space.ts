import { statfs } from "node:fs/promises";
import { dirname } from "node:path";
import { BackupFault } from "../backup-fault.js";

/** Bytes that this user may still write in a folder; null if the platform does not say. */
export type FreeBytes = (folder: string) => Promise<number | null>;

/** Of the nearest folder that is there. */
export const freeBytes: FreeBytes = async (folder) => {
  try {
    const { bavail, bsize } = await statfs(folder);
    return bavail * bsize;
  } catch (error) {
    const isMissing = (error as NodeJS.ErrnoException).code === "ENOENT" && dirname(folder) !== folder;
    return isMissing ? freeBytes(dirname(folder)) : null;
  }
};

/** What work is expected to write, and where. */
export interface NeededSpace {
  readonly folder: string;
  readonly needed: number;
  readonly free: number | null;
}

const MEGABYTE = 1_000_000;

/** As people read it: `12 kB`, `3.4 MB`. */
export const sizeWords = (bytes: number): string =>
  bytes < MEGABYTE ? `${Math.ceil(bytes / 1000)} kB` : `${(bytes / MEGABYTE).toFixed(1)} MB`;

/** `about 12 MB are needed in /backups; 3400 MB are free`. */
export const spaceWords = ({ folder, needed, free }: NeededSpace): string =>
  `about ${sizeWords(needed)} are needed in ${folder}${free === null ? "" : `; ${sizeWords(free)} are free`}`;

/** Whether less is free than is expected to be needed. */
export const isFull = ({ free, needed }: NeededSpace): boolean => free !== null && free < needed;

/** Throws a `BackupFault` where less is free than is needed. */
export const refuseFull = (space: NeededSpace): void => {
  if (isFull(space))
    throw new BackupFault(
      "no_space",
      `Make room, name another disk, or go on with --force if you know better: ${spaceWords(space)}.`,
    );
};
