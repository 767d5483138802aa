import type { Queryable } from "../../platform/database/database.js";
import { hasSeen } from "../../platform/database/follower-store.js";
import type { PrunedRows } from "../../platform/pruning.js";
import { CALLBACKS } from "../operations/queue-notifications.js";

/** A publisher or subscriber that was away for longer reads the objects instead. */
export const CHANGES_KEPT_DAYS = 7;

/** The outbox of changes, with their notifications; those about dispatches are evidence and stay. */
export const changeArchive = (db: Queryable): PrunedRows => ({
  async removeSome({ after, before, limit }) {
    const { rows } = await db.query<{ last: number | null }>({
      name: "prune-openadr3-changes",
      // Skips rows that another process is removing.
      text: `with old as materialized (
               select seq, xid from openadr3_changes where seq > $1 and at < $2 order by seq limit $3
               for update skip locked
             ), removable as materialized (
               select seq from old where ${hasSeen(CALLBACKS, "old")} and not exists (
                 select from openadr3_deliveries as deliveries where change_seq = old.seq and (state = 'pending' or exists (
                   select from openadr3_notices as notices
                   where notices.change_seq = old.seq and notices.client_id = deliveries.client_id)))
             ), attempts as (
               delete from openadr3_attempts where delivery_id in (
                 select id from openadr3_deliveries where change_seq in (select seq from removable))
             ), deliveries as (
               delete from openadr3_deliveries where change_seq in (select seq from removable)
             ), changes as (
               delete from openadr3_changes where seq in (select seq from removable)
             )
             select max(seq) as last from old`,
      values: [after, before, limit],
    });
    return rows[0]?.last ?? null;
  },
});
