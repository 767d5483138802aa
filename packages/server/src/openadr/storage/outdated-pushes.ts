import { IS_NOT_OVER, isOver } from "../../dispatch/storage/dispatch-conditions.js";
import type { Queryable } from "../../platform/database/database.js";
import { LISTED_AFTER_END_MS } from "../domain/ven.js";
import { duePushes } from "./push-queue.js";

/** Condition on a dispatch: it is over at $1, or ended so long ago that a VEN is not pushed its end any more. */
const IS_OUTDATED = `(${isOver()} or coalesce(dispatches.end_time < $1, false)
  and changed_at < $1::timestamptz - interval '${LISTED_AFTER_END_MS} milliseconds')`;

/** What waits to be pushed at $1 and has waited at most since $2, in `(channel, dispatch_id, is_outdated)`. */
export const WAITING_PUSHES = `
  select 'openadr' as channel, dispatch_id, ${IS_OUTDATED} as is_outdated
  from (${duePushes(`(${IS_NOT_OVER} or greatest(end_time, changed_at) >= $2)`)}) as waiting
  join dispatches on dispatches.id = dispatch_id`;

/** Drops outdated pushes of dispatches that ended since `since`; returns how many. */
export const dropOutdatedPushes = async (db: Queryable, now: Date, since: Date): Promise<number> => {
  const { rowCount } = await db.query(
    `with outdated as materialized (
       ${duePushes(`${IS_OUTDATED} and greatest(end_time, changed_at) >= $2`)}
     ), ended as (
       insert into ven_pushes as pushes (ven, dispatch_id, modification_number, failures)
       select ven, dispatch_id, modification_number, 0 from outdated
       on conflict (ven, dispatch_id) do update
       set modification_number = excluded.modification_number, next_attempt_at = null, leased_until = null
     )
     insert into ven_push_drops (ven, dispatch_id, modification_number, at, reason)
     select ven, dispatch_id, modification_number, $1, 'outdated' from outdated on conflict do nothing`,
    [now, since],
  );
  return rowCount ?? 0;
};
