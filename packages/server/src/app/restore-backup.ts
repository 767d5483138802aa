import { mkdir, readdir, rename, rm } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { removeLeftDirectory } from "@curtail/embedded-postgres";
import { BackupFault } from "../platform/backup-fault.js";
import { syncFolder } from "../platform/sync-folder.js";
import { type LoadedBackup, type LoadOrder, loadBackup } from "./load-backup.js";

/** Where a directory is restored until it is whole; what a killed restore left there is removed by the next one. */
const asideOf = (directory: string): string => join(dirname(directory), `.${basename(directory)}.restoring`);

/**
 * Restores a backup into a data directory that is not there yet, or is empty. It gets its name when it is whole. Throws a
 * `BackupFault`.
 */
export const restoreBackup = async (
  given: string,
  order: Omit<LoadOrder, "directory" | "serves">,
): Promise<LoadedBackup> => {
  const directory = resolve(given);
  await refuseTaken(directory);
  const aside = asideOf(directory);
  const unfinished = join(aside, "unfinished");
  await mkdir(dirname(directory), { recursive: true });
  await removeLeft(aside, order);
  try {
    const loaded = await loadBackup({ ...order, directory: unfinished, serves: true });
    order.asked.throwIfAborted();
    await rename(unfinished, directory);
    await syncFolder(dirname(directory));
    return loaded;
  } finally {
    await rm(aside, { recursive: true, force: true, maxRetries: 5 });
  }
};

const removeLeft = async (aside: string, { logger }: Pick<LoadOrder, "logger">): Promise<void> => {
  await removeLeftDirectory(join(aside, "unfinished"), logger);
  await rm(aside, { recursive: true, force: true, maxRetries: 5 });
};

const refuseTaken = async (directory: string): Promise<void> => {
  const found = await readdir(directory).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return [];
    if (error.code === "ENOTDIR") return ["."];
    throw error;
  });
  if (found.length > 0)
    throw new BackupFault(
      "taken",
      `${directory} is not empty, and a restore never writes over what is there. Name a directory that does not exist yet, ` +
        "or move this one away.",
    );
};
