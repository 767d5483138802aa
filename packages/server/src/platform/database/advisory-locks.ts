import type { Queryable } from "./database.js";

/** Every advisory lock of the service. The numbers are arbitrary, but unique here and the same in every process. */
export const advisoryLocks = {
  /** Never change this one: processes of different versions start together. */
  migration: 7_283_465,
  expansion: 7_283_466,
  alarms: 7_283_467,
  finalResults: 7_283_468,
  sandboxExpansion: 7_283_469,
  pushes: 7_283_470,
  imports: 7_283_471,
  owed: 7_283_472,
  mails: 7_283_473,
  packing: 7_283_474,
  /** Held by the transaction that folds the log of readings. */
  folding: 7_283_487,
  profiles: 7_283_486,
  phoneMessages: 7_283_475,
  /** Shared to add an account; exclusive to start a demo. */
  demo: 7_283_477,
  /** Held to add the simulated site. */
  simulatedSite: 7_283_484,
  expansionBehind: 7_283_481,
  sandboxExpansionBehind: 7_283_482,
  /** Held while a shift report is kept or edited: two never follow the same one, or the same version. */
  shiftReports: 7_283_485,
  /** Held by the process that makes daily backups, for as long as it runs. */
  backup: 7_283_483,
} as const;

/** Whether the lock was free; it is held until the end of the transaction. */
export const takeTurn = async (db: Queryable, lock: keyof typeof advisoryLocks): Promise<boolean> => {
  const { rows } = await db.query<{ taken: boolean }>("select pg_try_advisory_xact_lock($1) as taken", [
    advisoryLocks[lock],
  ]);
  return rows[0]?.taken === true;
};

/** Waits until the lock is free; it is held until the end of the transaction. */
export const awaitTurn = async (db: Queryable, lock: keyof typeof advisoryLocks): Promise<void> => {
  await db.query("select pg_advisory_xact_lock($1)", [advisoryLocks[lock]]);
};
