import { access, constants, readdir, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { bad, type Check, good, warning } from "@curtail/cli";
import { type BackupState, backupConditions } from "../../../backup/domain/backup-state.js";
import { holdConditions } from "../../../backup/domain/delivery-hold.js";
import { newestBackup } from "../../../backup/domain/kept-backups.js";
import { findBackupState } from "../../../backup/storage/backup-state-store.js";
import { findHold } from "../../../backup/storage/delivery-hold.js";
import { freeBytes, isFull, sizeWords } from "../../../platform/files/free-space.js";
import type { Config } from "../../../platform/runtime/config.js";
import { OFF } from "../../../platform/runtime/setting-types.js";
import type { Read } from "./reading.js";

const NAME = "backups";
const HOUR_MS = 3_600_000;

/** By the rule of the alarm. @param isSet whether this process would make them */
export const stateCheck = (state: BackupState | null, isSet: boolean, now: Date): Check => {
  const [found] = backupConditions(state, now);
  if (found !== undefined) return bad(NAME, found.message, "mend the cause; the next try is within an hour");
  if (state === null)
    return isSet
      ? warning(NAME, "no daily backup was made yet", "start a process with the role worker, and wait a minute")
      : warning(NAME, "no daily backups are made", "set CURTAIL_BACKUP_DIRECTORY, unless you back up in another way");
  const hours = Math.floor((now.getTime() - (state.madeAt ?? state.triedAt).getTime()) / HOUR_MS);
  return good(NAME, `the newest is ${hours} hours old, in ${state.directory}`);
};

/** A directory of backups, looked at from this machine. */
export interface SeenBackupFolder {
  readonly directory: string;
  readonly canWrite: boolean;
  readonly free: number | null;
  /** Size of the newest one; null: there is none. */
  readonly newestBytes: number | null;
}

export const folderCheck = ({ directory, canWrite, free, newestBytes }: SeenBackupFolder): Check => {
  if (!canWrite)
    return bad(
      NAME,
      `this user cannot write ${directory}`,
      "give it to the service's user (ReadWritePaths= of systemd)",
    );
  const room = free === null ? "" : `, ${sizeWords(free)} free`;
  return isFull({ folder: directory, needed: newestBytes ?? 0, free })
    ? warning(NAME, `${directory} has too little room for one more${room}`, "free space, or lower CURTAIL_BACKUP_KEEP")
    : good(NAME, `${directory} can be written${room}`);
};

export const lookAtBackups = async (config: Config, read: Read | null, now: Date): Promise<readonly Check[]> => {
  const { backupDirectory: directory, roles } = config;
  const folder = directory === null || directory === OFF || !roles.includes("worker") ? null : directory;
  const inFolder = folder === null ? [] : [folderCheck(await seenFolder(folder))];
  if (read === null) return inFolder;
  return read(async (client) => {
    const held = holdConditions(await findHold(client)).map(({ message }) =>
      warning("delivery", message, "curtail admin delivery-hold release"),
    );
    if (directory === OFF) return [...held, good(NAME, "daily backups are turned off")];
    return [...held, stateCheck(await findBackupState(client), folder !== null, now), ...inFolder];
  });
};

const seenFolder = async (directory: string): Promise<SeenBackupFolder> => {
  const names = await readdir(directory).catch(() => []);
  const newest = newestBackup(names);
  const size = newest === null ? null : await stat(join(directory, newest)).catch(() => null);
  return {
    directory,
    canWrite: await canWrite(directory),
    free: await freeBytes(directory),
    newestBytes: size?.size ?? null,
  };
};

/** The service makes it where its parent can be written. Nothing is written to find out. */
const canWrite = async (folder: string): Promise<boolean> => {
  try {
    await access(folder, constants.W_OK | constants.X_OK);
    return true;
  } catch (error) {
    const isMissing = (error as NodeJS.ErrnoException).code === "ENOENT" && dirname(folder) !== folder;
    return isMissing && canWrite(dirname(folder));
  }
};
