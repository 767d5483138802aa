import { mkdir, readdir, rename } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { BackupFault } from "../../platform/backup-fault.js";
import { syncFolder } from "../../platform/sync-folder.js";
import { type LoadedBackup, type LoadOrder, loadBackup } from "./load-backup.js";
import { dataIn, foundAt, makeWorkFolder, removeLeft } from "./work-folder.js";

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
  await mkdir(dirname(directory), { recursive: true });
  await clear(aside, order);
  const work = await makeWorkFolder(aside);
  try {
    const loaded = await loadBackup({ ...order, directory: dataIn(aside), serves: true });
    order.asked.throwIfAborted();
    await rename(dataIn(aside), directory);
    await syncFolder(dirname(directory));
    return loaded;
  } finally {
    await work.remove();
  }
};

/** The folder may be in one that others write to: nothing but this user's own is followed or removed. */
const clear = async (aside: string, { logger }: Pick<LoadOrder, "logger">): Promise<void> => {
  const found = await foundAt(aside);
  if (found === "left") return removeLeft(aside, logger);
  if (found === "in_use")
    throw new BackupFault(
      "taken",
      `Wait until the other restore ends, which works in ${aside}; or two minutes, if it was killed.`,
    );
  if (found === "foreign")
    throw new BackupFault(
      "taken",
      `Remove ${aside}, or restore elsewhere: a restore works there, and what is there was not left by one of this user.`,
    );
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
