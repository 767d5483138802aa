import type { Queryable } from "../../platform/database/database.js";
import { isDistributed } from "../../platform/database/shards.js";

/**
 * Makes a transaction that writes to a shard and to ordinary tables commit as a whole. Citus commits a single worker first,
 * and what it does not know afterwards, unless the transaction also writes to a table of the coordinator that it knows:
 * then the worker prepares its part. The statement changes no row.
 */
export const commitInTwoPhases = async (db: Queryable): Promise<void> => {
  if (await isDistributed(db)) await db.query("update telemetry_archives set file = file where seq < 0");
};
