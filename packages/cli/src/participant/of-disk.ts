import { CommandFailure } from "../admin-io.js";

/** Whether a failure is one of the file system: a full disk, a folder that may not be written or is gone. */
export const isOfDisk = (error: unknown): boolean =>
  error instanceof CommandFailure
    ? isOfDisk(error.cause)
    : error instanceof Error && typeof (error as NodeJS.ErrnoException).syscall === "string";
