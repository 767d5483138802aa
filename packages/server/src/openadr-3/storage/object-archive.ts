import { appended } from "../../platform/database/commits.js";
import type { Queryable } from "../../platform/database/database.js";
import { hasSeen } from "../../platform/database/follower-store.js";
import { countRows, readFirst } from "../../platform/database/read.js";
import type { PrunedRows } from "../../platform/pruning.js";
import { CALLBACKS } from "../operations/queue-notifications.js";

/** Events to remove at once, each with its reports. */
export const OBJECTS_AT_ONCE = 200;

/** Ended events with their reports, and old reports. Their readings, and the evidence of dispatches, are kept. */
export const objectArchive = (db: Queryable): PrunedRows => ({
  async removeSome({ before, limit }) {
    const removed = await countRows(db, {
      name: "prune-openadr3-objects",
      // Skips rows that another process is removing.
      text: `with events as materialized (
               select id from openadr3_objects where object_type = 'EVENT' and transpires_at < $1
               order by transpires_at limit $2 for update skip locked
             ), reports as materialized (
               select id from openadr3_objects where object_type = 'REPORT' and modified_at < $1
               order by modified_at limit $2 for update skip locked
             ), noted as (
               insert into journal (at, kind, subject) select now(), 'openadr3.prune', '' where exists (table events)
             )
             delete from openadr3_objects where id in (table events union table reports)
               or event_id in (table events)`,
      values: [before, limit],
    });
    if (removed > 0) appended(db, "openadr3.prune");
    return removed < limit ? null : 0;
  },
});

/** A publisher or subscriber that was away for longer reads the objects instead. */
export const CHANGES_KEPT_DAYS = 7;

/** The outbox of changes, with their notifications; those about dispatches are evidence and stay. */
export const changeArchive = (db: Queryable): PrunedRows => ({
  removeSome: ({ after, before, limit }) =>
    readFirst(db, ({ last }: { last: number | null }) => last, {
      name: "prune-openadr3-changes",
      // Skips rows that another process is removing.
      text: `with old as materialized (
               select seq, xid from openadr3_changes where seq > $1 and at < $2 order by seq limit $3
               for update skip locked
             ), removable as materialized (
               select seq from old where ${hasSeen(CALLBACKS, "old")} and not exists (
                 select from passing_messages as messages where change_seq = old.seq and (state = 'pending' or exists (
                   select from openadr3_notices as notices
                   where notices.change_seq = old.seq and notices.client_id = messages.client_id)))
             ), notifications as (
               delete from passing_messages where change_seq in (select seq from removable)
             ), changes as (
               delete from openadr3_changes where seq in (select seq from removable)
             )
             select max(seq) as last from old`,
      values: [after, before, limit],
    }),
});
