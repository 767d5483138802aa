import type { Condition } from "./alarm.js";

/** Space on the disk that holds the database. */
export interface DiskSpace {
  readonly freeBytes: number;
  readonly totalBytes: number;
}

const GIGABYTE = 1_000_000_000;

/** Below this, uploads are refused: the rest is reserved for dispatches and notices. */
const reservedBytes = ({ totalBytes }: DiskSpace): number => Math.min(0.05 * totalBytes, GIGABYTE);

/** Warns while three times the reserve is left. */
const isLow = (space: DiskSpace): boolean => space.freeBytes < 3 * reservedBytes(space);

/** Why uploads are refused; null while they are accepted. */
export const whyFull = (space: DiskSpace): string | null =>
  space.freeBytes < reservedBytes(space)
    ? `the disk of the data directory is nearly full (${amounts(space)}): uploads are refused to keep space for dispatches`
    : null;

/** The alarm for a low disk; its message has the directory. */
export const diskCondition = (space: DiskSpace, directory: string): Condition | null =>
  isLow(space)
    ? {
        kind: "disk_low",
        subject: directory,
        accountId: null,
        message:
          `The disk of ${directory} has little space left (${amounts(space)}). Below ` +
          `${megabytes(reservedBytes(space))} MB, uploads are refused; dispatches and notices continue. Enlarge the disk or free space on it.`,
      }
    : null;

const megabytes = (bytes: number): number => Math.floor(bytes / 1_000_000);

/** `3400 of 20000 MB free`. */
export const amounts = ({ freeBytes, totalBytes }: DiskSpace): string =>
  `${megabytes(freeBytes)} of ${megabytes(totalBytes)} MB free`;
