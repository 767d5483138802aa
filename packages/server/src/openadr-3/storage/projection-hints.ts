import { appended } from "../../platform/database/commits.js";
import type { Queryable } from "../../platform/database/database.js";
import { journal } from "../../platform/database/journal.js";
import { PROJECTION } from "../domain/projection.js";

/** Settings of the service, which its objects show, may be others than before. */
export const noteSettings = (db: Queryable, at: Date): Promise<void> =>
  journal(db).append([{ at, kind: "openadr3.settings", subject: "" }]);

/**
 * Notes dispatches without an end whose events have less left than half of the time that their program expects, to be
 * prolonged.
 */
export const noteLapsing = async (db: Queryable, at: Date): Promise<void> => {
  // Not those of accounts that are disabled (G50), and no second time where it fails.
  const { rowCount } = await db.query({
    name: "openadr3-lapsing",
    text: `insert into journal (at, kind, subject)
           select distinct $1::timestamptz, 'openadr3.lapsing', dispatches.id from dispatches
           join programs on programs.id = dispatches.program_id
           join openadr3_objects as event on event.environment = 'production' and event.object_type = 'EVENT'
             and event.source = 'dispatch' and event.source_id = dispatches.id
           join openadr3_objects as ven on ven.id = event.ven_id
           join openadr3_clients as clients on clients.id = ven.client_id and clients.revoked_at is null
           join accounts on accounts.id = clients.account_id and not disabled
           where dispatches.end_time is null and dispatches.authorized
             and event.transpires_at < $1::timestamptz + longest_open_hours * interval '30 minutes'
             and not exists (select from follower_faults where follower = '${PROJECTION}' and subject = dispatches.id)`,
    values: [at],
  });
  if (rowCount !== null && rowCount > 0) appended(db, "openadr3.lapsing");
};
