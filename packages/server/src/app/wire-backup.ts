import { mkdir, readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import type pg from "pg";
import { backupConditions } from "../backup/domain/backup-state.js";
import { archivesWords } from "../backup/domain/content.js";
import { backupNameAt, outdatedBackups } from "../backup/domain/kept-backups.js";
import { findBackupState, saveBackupState } from "../backup/storage/backup-state-store.js";
import { makeBackup } from "../backup/storage/make-backup.js";
import { DailyBackup } from "../backup/worker/daily-backup.js";
import type { Condition } from "../platform/alarm.js";
import type { LoopClock } from "../platform/clock.js";
import { isHeldByAny } from "../platform/database/advisory-locks.js";
import { heldLock } from "../platform/database/held-lock.js";
import type { Config } from "../platform/runtime/config.js";
import type { Logger } from "../platform/runtime/logger.js";
import { version } from "../platform/runtime/version.js";
import type { DeliveryGate } from "../platform/worker/delivery-gate.js";
import { savedFolderOf } from "./backup-source.js";

export interface BackupWiring {
  readonly config: Config;
  readonly pool: pg.Pool;
  readonly logger: Logger;
  readonly clock: LoopClock;
  readonly gate: DeliveryGate;
}

/** Makes daily backups in worker processes, if a setting says where. */
export const wireBackup = ({ config, pool, logger, clock, gate }: BackupWiring): { stop(): Promise<void> } => {
  const { backupDirectory: directory, backupKeepDays: days, backupRecipients: recipients, roles } = config;
  if (directory === null || !roles.includes("worker")) return { stop: async () => {} };
  const daily = new DailyBackup({
    clock,
    atMinutes: config.backupAt,
    directory,
    lock: heldLock(pool.options, "backup"),
    state: { find: () => findBackupState(pool), save: (state) => saveBackupState(pool, state) },
    async make(now, asked) {
      await mkdir(directory, { recursive: true, mode: 0o700 });
      const { missing } = await makeBackup({
        connection: pool.options,
        folder: savedFolderOf(config),
        recipients: recipients ?? [],
        path: join(directory, backupNameAt(now)),
        version,
        onProgress: () => {},
        asked,
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

/**
 * Daily backups as the alarms see them, the same for every process: those of the process that makes them. Where the setting
 * is gone from all, there is no alarm.
 */
export const backupAlarms = async ({
  config: { backupDirectory },
  pool,
  clock,
}: Pick<BackupWiring, "config" | "pool" | "clock">): Promise<readonly Condition[]> => {
  // A process with the setting may be about to take the lock.
  const areMade = backupDirectory !== null || (await isHeldByAny(pool, "backup"));
  return areMade ? backupConditions(await findBackupState(pool), clock.now()) : [];
};
