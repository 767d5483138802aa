import type pg from "pg";
import { BackupFault } from "../../platform/backup-fault.js";
import { inTransaction } from "../../platform/database/database.js";
import { isServed } from "../../platform/database/database-check.js";
import { findHold, holdDelivery } from "./delivery-hold.js";
import { skipNumbers } from "./skipped-numbers.js";

/** By so much may the clocks of the service and of its database differ. */
const SKEW_MS = 60_000;

/**
 * What a restore of a backup does to its database, for one that PostgreSQL's tools restored to a moment: delivery is held, and
 * numbers that were given after the moment are not given again. Throws a `BackupFault` unless the database is of that moment.
 */
export const holdRestored = async (pool: pg.Pool, restoredTo: Date, now: Date): Promise<void> => {
  // A process that found nothing held does not look again.
  if (await isServed(pool))
    throw new BackupFault("not_held", "Stop every process of the service first: those that run do not notice a hold.");
  await inTransaction(pool, async (db) => {
    if ((await findHold(db)) !== null)
      throw new BackupFault("not_held", "Delivery is held already. Start the service, and release it there.");
    const { rows } = await db.query<{ at: Date | null }>("select max(at) as at from journal");
    const newest = rows[0]?.at ?? null;
    if (newest !== null && newest.getTime() > restoredTo.getTime() + SKEW_MS)
      throw new BackupFault(
        "not_held",
        `The database has changes until ${newest.toISOString()}, which is after ${restoredTo.toISOString()}. Check that the restore ` +
          "ended where it should, and name that moment.",
      );
    await skipNumbers(db);
    await holdDelivery(db, { heldAt: now, backupAt: restoredTo });
  });
};
