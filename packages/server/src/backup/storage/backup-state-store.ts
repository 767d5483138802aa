import type { Queryable } from "../../platform/database/database.js";
import { deleteSetting, findSetting, replaceSetting } from "../../platform/database/setting-store.js";
import type { BackupState } from "../domain/backup-state.js";

/** The setting that holds it. */
export const BACKUP_SETTING = "daily_backup";

/** null: none was tried yet. */
export const findBackupState = async (db: Queryable): Promise<BackupState | null> =>
  backupStateFrom(await findSetting(db, BACKUP_SETTING));

/** From the value of the setting; null if there is none. */
export const backupStateFrom = (text: string | null): BackupState | null => {
  if (text === null) return null;
  const { madeAt, triedAt, failure, directory } = JSON.parse(text) as {
    readonly madeAt: string | null;
    readonly triedAt: string;
    readonly failure: string | null;
    /** Absent as earlier versions stored it. */
    readonly directory?: string;
  };
  return {
    madeAt: madeAt === null ? null : new Date(madeAt),
    triedAt: new Date(triedAt),
    failure,
    directory: directory ?? "",
  };
};

export const saveBackupState = (db: Queryable, state: BackupState): Promise<void> =>
  replaceSetting(db, BACKUP_SETTING, JSON.stringify(state));

export const forgetBackupState = (db: Queryable): Promise<void> => deleteSetting(db, BACKUP_SETTING);
