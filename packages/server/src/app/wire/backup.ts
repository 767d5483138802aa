import { mkdir, readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { archivesWords } from "../../backup/domain/content.js";
import { backupNameAt, newestBackup, outdatedBackups } from "../../backup/domain/kept-backups.js";
import { findBackupState, forgetBackupState, saveBackupState } from "../../backup/storage/backup-state-store.js";
import { makeBackup } from "../../backup/storage/make-backup.js";
import { DailyBackup } from "../../backup/worker/daily-backup.js";
import { sessionOptions } from "../../platform/database/database.js";
import { heldLock } from "../../platform/database/held-lock.js";
import { isFull, type NeededSpace, spaceWords } from "../../platform/files/free-space.js";
import { Polling } from "../../platform/polling.js";
import type { Logger } from "../../platform/runtime/logger.js";
import { OFF } from "../../platform/runtime/setting-types.js";
import { version } from "../../platform/runtime/version.js";
import { type Basis, NOTHING, type Stopping } from "../basis.js";
import { savedFolderOf, standbyOf } from "./upkeep.js";

/** Makes daily backups in worker processes, if a setting says where. */
export const wireBackup = (basis: Basis): Stopping => {
  const { config, pool, logger, clock, gate } = basis;
  const { backupDirectory: directory, backupKeepDays: days, backupRecipients: recipients, roles } = config;
  if (directory === null || !roles.includes("worker")) return NOTHING;
  if (directory === OFF) return endingBackups(basis);
  const daily = new DailyBackup({
    clock,
    atMinutes: config.backupAt,
    directory,
    lock: heldLock(sessionOptions(pool), "backup"),
    state: { find: () => findBackupState(pool), save: (state) => saveBackupState(pool, state) },
    async make(now, asked) {
      await mkdir(directory, { recursive: true, mode: 0o700 });
      const { missing } = await makeBackup({
        connection: sessionOptions(pool),
        standby: standbyOf(config),
        folder: savedFolderOf(config),
        recipients: recipients ?? [],
        path: join(directory, backupNameAt(now)),
        version,
        onProgress: () => {},
        asked,
        // It may fit all the same, and a backup that does not raises the alarm.
        isForced: true,
        expectedBytes: await expectedBytes(directory),
        onSpace: (space) => warnIfFull(space, logger),
        onKept: (path, reason) => logger.warn({ path, reason }, "a half-written backup stays"),
      });
      const archived = archivesWords(missing);
      if (archived !== null) logger.warn({}, archived);
    },
    async prune(now) {
      const outdated = outdatedBackups(await readdir(directory), days, now);
      // All at once: one that cannot be deleted does not keep the others.
      await Promise.all(outdated.map((name) => rm(join(directory, name), { force: true })));
    },
    log: logger,
  });
  // A restored service with the settings of the one before would delete that one's backups.
  gate.whenReleased(() => daily.start());
  return daily;
};

/** By how much a database may grow in a day. */
const GROWN = 1.1;

/** By the newest backup: what tables take on the disk says little, as deleted rows count. undefined: there is none. */
const expectedBytes = async (directory: string): Promise<number | undefined> => {
  const newest = newestBackup(await readdir(directory));
  return newest === null ? undefined : Math.ceil((await stat(join(directory, newest))).size * GROWN);
};

const warnIfFull = (space: NeededSpace, logger: Logger): void => {
  if (isFull(space)) logger.warn({ ...space }, `the daily backup may not fit: ${spaceWords(space)}`);
};

const LOOK_MS = 60_000;

/** Forgets daily backups, and so the alarm about them, once no process makes them. */
const endingBackups = ({ pool, logger, clock, gate }: Basis): Stopping => {
  const lock = heldLock(sessionOptions(pool), "backup");
  const ending = new Polling({
    async look() {
      if ((await findBackupState(pool)) === null) return;
      if (await lock.isHeld()) await forgetBackupState(pool);
      await lock.release();
    },
    onError: (error) => logger.warn({ err: error }, "daily backups could not be ended; retrying"),
    clock,
    everyMs: LOOK_MS,
  });
  gate.whenReleased(() => ending.start());
  return {
    async stop() {
      await ending.stop();
      await lock.release();
    },
  };
};
