import { IS_NOT_OVER, isOver } from "../../dispatch/storage/dispatch-conditions.js";
import type { Queryable } from "../../platform/database/database.js";
import { countRows } from "../../platform/database/read.js";
import { LISTED_AFTER_END_MS } from "../domain/ven.js";
import { IS_OF_INTEREST, MAY_BE_PUSHED, WITH_ITS_SITES } from "./push-conditions.js";

/** Condition on a dispatch: it is over at $1, or ended so long ago that a VEN is not pushed its end any more. */
const IS_OUTDATED = `(${isOver()} or coalesce(dispatches.end_time < $1, false)
  and changed_at < $1::timestamptz - interval '${LISTED_AFTER_END_MS} milliseconds')`;

/** What waits to be pushed at $1 and has waited at most since $2. */
const waiting = (columns: string): string => `
  select ${columns}, dispatch_id, ${IS_OUTDATED} as is_outdated
  from ven_pushes as pushes join vens on vens.id = ven join accounts on accounts.id = account_id
  join dispatches on dispatches.id = dispatch_id ${WITH_ITS_SITES}
  where next_attempt_at is not null and ${MAY_BE_PUSHED} and ${IS_OF_INTEREST}
    and (${IS_NOT_OVER} or greatest(end_time, changed_at) >= $2)`;

/** The same, in `(channel, dispatch_id, is_outdated)`. */
export const WAITING_PUSHES = waiting("'openadr' as channel");

/** Drops outdated pushes of dispatches that ended since `since`; returns how many. */
export const dropOutdatedPushes = (db: Queryable, now: Date, since: Date): Promise<number> =>
  countRows(db, {
    text: `with outdated as materialized (
       select * from (${waiting("ven, dispatches.modification_number")}) as waiting where is_outdated
     ), ended as (
       update ven_pushes as pushes
       set modification_number = outdated.modification_number, next_attempt_at = null, leased_until = null
       from outdated where pushes.ven = outdated.ven and pushes.dispatch_id = outdated.dispatch_id
     )
     insert into ven_push_drops (ven, dispatch_id, modification_number, at, reason)
     select ven, dispatch_id, modification_number, $1, 'outdated' from outdated on conflict do nothing`,
    values: [now, since],
  });
