import { IS_OVER } from "../../dispatch/storage/dispatch-conditions.js";
import type { Queryable } from "../../platform/database/database.js";
import { expandChanges } from "./notification-queue.js";

/** Condition on a change, joined as `changes`: it is about a dispatch, or the dispatch of a scenario, that is over at $1. */
const IS_OUTDATED = `(source = 'dispatch' and (
  exists (select from dispatches where dispatches.id = source_id and ${IS_OVER})
  or exists (select from sandbox.dispatches as dispatches where dispatches.id = source_id and ${IS_OVER})))`;

const DISPATCH = "case source when 'dispatch' then source_id end";

/** Where nobody has subscribed, a change becomes no callback. */
const IS_FOLLOWED = `exists (select from openadr3_objects as subscription
  where subscription.object_type = 'SUBSCRIPTION' and subscription.environment = changes.environment)`;

/** Callbacks that wait to be sent at $1, in `(channel, dispatch_id, is_outdated)`. */
export const WAITING_CALLBACKS = `
  select 'openadr3' as channel, ${DISPATCH} as dispatch_id, ${IS_OUTDATED} as is_outdated
  from openadr3_deliveries join openadr3_changes as changes on changes.seq = change_seq where state = 'pending'
  union all
  select 'openadr3', ${DISPATCH}, ${IS_OUTDATED} from openadr3_changes as changes where queued_at is null and ${IS_FOLLOWED}`;

/** Changes that an outside broker has not got. */
export const WAITING_MESSAGES = `
  select 'mqtt' as channel, ${DISPATCH} as dispatch_id, ${IS_OUTDATED} as is_outdated
  from openadr3_changes as changes where published_at is null`;

/** Drops callbacks about dispatches that are over; returns how many. Changes become callbacks first. */
export const dropOutdatedCallbacks = async (db: Queryable, now: Date): Promise<number> => {
  while (await expandChanges(db, now));
  const { rowCount } = await db.query(
    `update openadr3_deliveries
     set state = 'dropped', next_attempt_at = null, leased_until = null, dropped_at = $1, drop_reason = 'outdated'
     from openadr3_changes as changes where changes.seq = change_seq and state = 'pending' and ${IS_OUTDATED}`,
    [now],
  );
  return rowCount ?? 0;
};

/** Settles changes about dispatches that are over as never published; returns how many. */
export const dropOutdatedMessages = async (db: Queryable, now: Date): Promise<number> => {
  const { rowCount } = await db.query(
    `update openadr3_changes as changes set published_at = '-infinity' where published_at is null and ${IS_OUTDATED}`,
    [now],
  );
  return rowCount ?? 0;
};
