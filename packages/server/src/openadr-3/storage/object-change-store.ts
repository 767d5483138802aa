import type { Queryable } from "../../platform/database/database.js";
import type { ObjectChangeStore } from "../operations/object-ports.js";

/** Notified when changes are committed. */
export const CHANGE_CHANNEL = "openadr3_changes";

export const objectChangeStore = (db: Queryable): ObjectChangeStore => ({
  async append(changes) {
    if (changes.length === 0) return;
    // In the given order: subscribers hear of them in that of `seq`.
    for (const { operation, object, told, writtenBy, at } of changes) {
      await db.query(
        `insert into openadr3_changes (environment, operation, object_type, object_id, object, targets, client_id,
           program_id, ven_id, source, source_id, written_by, at)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)`,
        [
          object.environment,
          operation,
          object.objectType,
          object.id,
          told,
          object.audience,
          object.clientId,
          object.programId,
          object.venId,
          object.source?.kind,
          object.source?.id,
          writtenBy,
          at,
        ],
      );
    }
    await db.query("select pg_notify($1, '')", [CHANGE_CHANNEL]);
  },
});
