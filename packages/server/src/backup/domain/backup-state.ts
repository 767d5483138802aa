import type { Condition } from "../../platform/alarm.js";

/** What became of daily backups; stored as JSON. */
export interface BackupState {
  /** When the newest one was begun, as its name says; null: there is none yet. */
  readonly madeAt: Date | null;
  /** When one was last begun. */
  readonly triedAt: Date;
  /** Why the last one failed; null if it did not. */
  readonly failure: string | null;
  /** Of the process that makes them. */
  readonly directory: string;
}

/** After a failure, or after a process that ended meanwhile. */
const TRY_AGAIN_MS = 3_600_000;
/** By so much may the clocks of two processes differ. */
const SKEW_MS = 60_000;
/** A day, and half of one for a backup that takes long or failed at first. */
const OLD_MS = 36 * 3_600_000;

/**
 * Whether a daily backup is to be made now.
 *
 * @param turn the latest moment at which one was due
 */
export const isDue = (state: BackupState | null, turn: Date, now: Date): boolean => {
  if (state === null || state.triedAt < turn) return true;
  const age = now.getTime() - state.triedAt.getTime();
  // The clock was set back since.
  if (age < -SKEW_MS) return true;
  return !isDone(state) && age >= TRY_AGAIN_MS;
};

const isDone = ({ madeAt, triedAt }: BackupState): boolean => madeAt !== null && madeAt >= triedAt;

/**
 * What is stored before one is made: a process that is killed by it does not begin it again at once. Where none was ever
 * made, no other age shows that the one before had no end.
 */
export const begunState = (before: BackupState | null, triedAt: Date, directory: string): BackupState => {
  if (before === null) return { madeAt: null, triedAt, failure: null, directory };
  const unended = before.madeAt === null ? "its process ended before it was done" : null;
  return { madeAt: before.madeAt, triedAt, failure: before.failure ?? unended, directory };
};

/** null: there is none. */
export const backupAgeSeconds = (state: BackupState | null, now: Date): number | null => {
  const madeAt = state?.madeAt ?? null;
  return madeAt === null ? null : Math.max(0, (now.getTime() - madeAt.getTime()) / 1000);
};

/**
 * The alarm when the last daily backup failed, or the newest one is old. It is that of the process that makes them, whichever
 * process asks.
 */
export const backupConditions = (state: BackupState | null, now: Date): readonly Condition[] => {
  if (state === null) return [];
  const { directory } = state;
  const newest = state.madeAt ?? state.triedAt;
  const isOld = Math.abs(now.getTime() - newest.getTime()) > OLD_MS;
  if (state.failure === null && !isOld) return [];
  const last = state.madeAt === null ? "There is none yet." : `The newest one is of ${state.madeAt.toISOString()}.`;
  const why =
    state.failure === null
      ? "No daily backup was made for 36 hours; check that a worker process is running and has the setting of their directory."
      : `The daily backup failed: ${state.failure}. It is tried again within an hour.`;
  return [
    { kind: "backup_missing", subject: directory, accountId: null, message: `${why} ${last} Directory: ${directory}.` },
  ];
};
