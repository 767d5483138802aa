import { isOver } from "../../dispatch/storage/dispatch-conditions.js";
import type { Queryable } from "../../platform/database/database.js";
import { unseenBy } from "../../platform/database/follower-store.js";
import { SEEN_BY_ALL } from "../../platform/database/journal-upkeep.js";
import { OUTSIDE_BROKER } from "../operations/broker-conditions.js";
import { CALLBACKS } from "../operations/queue-notifications.js";
import { callbacks } from "./callbacks.js";
import { notificationProgress } from "./notification-queue.js";

/** Condition on a change, joined as `changes`: it is about a dispatch, or the dispatch of a scenario, that is over at $1. */
const IS_OUTDATED = `(source = 'dispatch' and (
  exists (select from dispatches where dispatches.id = source_id and ${isOver()})
  or exists (select from sandbox.dispatches as dispatches where dispatches.id = source_id and ${isOver("sandbox.")})))`;

/** Changes that have no callbacks yet. */
const WITHOUT_CALLBACKS = unseenBy(CALLBACKS, "openadr3_changes");

const DISPATCH = "case source when 'dispatch' then source_id end";

/** If nobody has subscribed, a change becomes no callback. */
const IS_FOLLOWED = `exists (select from openadr3_objects as subscription
  where subscription.object_type = 'SUBSCRIPTION' and subscription.environment = changes.environment)`;

/** Callbacks that wait to be sent at $1, in `(channel, dispatch_id, is_outdated)`. */
export const WAITING_CALLBACKS = `
  select 'openadr3' as channel, ${DISPATCH} as dispatch_id, ${IS_OUTDATED} as is_outdated
  from passing_messages join openadr3_changes as changes on changes.seq = change_seq where state = 'pending'
  union all
  select 'openadr3', ${DISPATCH}, ${IS_OUTDATED} from ${WITHOUT_CALLBACKS} as changes where ${IS_FOLLOWED}`;

/** Changes that the broker has not got. */
const UNPUBLISHED = unseenBy(OUTSIDE_BROKER, "openadr3_changes");

/** Messages that wait for the broker at $1, alike. */
export const WAITING_MESSAGES = `
  select 'mqtt' as channel, ${DISPATCH} as dispatch_id, ${IS_OUTDATED} as is_outdated from ${UNPUBLISHED} as changes`;

/** Drops callbacks about dispatches that are over; returns how many. Changes about them become callbacks first. */
export const dropOutdatedCallbacks = async (db: Queryable, now: Date): Promise<number> => {
  const { rows: open } = await db.query<{ seq: number }>(
    `select seq from ${WITHOUT_CALLBACKS} as changes where ${IS_OUTDATED}`,
    [now],
  );
  const seqs = open.map(({ seq }) => seq);
  await callbacks(db).ofChanges(seqs, now);
  const { rows } = await db.query<{ count: number }>(
    `with dropped as (
       update passing_messages
       set state = 'dropped', next_attempt_at = null, leased_until = null, ended_at = $1, reason = 'outdated'
       from openadr3_changes as changes where changes.seq = change_seq and state = 'pending' and ${IS_OUTDATED}
       returning change_seq, passing_messages.client_id
     ), followed as (${notificationProgress("dropped", "$1")})
     select count(*)::int as count from dropped`,
    [now],
  );
  return rows[0]?.count ?? 0;
};

/** A database may have millions of changes, and a statement has ten seconds. */
const SETTLED_AT_ONCE = 10_000;

/** Changes about dispatches that are over become old ones to the broker; returns how many. */
export const dropOutdatedMessages = async (db: Queryable, now: Date): Promise<number> => {
  let after: number | null = 0;
  let dropped = 0;
  while (after !== null) {
    const batch: SettledRow = await settleOutdated(db, now, after);
    dropped += batch.dropped;
    after = batch.last;
  }
  return dropped;
};

interface SettledRow {
  readonly dropped: number;
  /** The last change that was looked at; null: there was none. */
  readonly last: number | null;
}

const settleOutdated = async (db: Queryable, now: Date, after: number): Promise<SettledRow> => {
  const { rows } = await db.query<SettledRow>(
    `with looked as materialized (
       select seq, ${IS_OUTDATED} as is_outdated from ${UNPUBLISHED} as changes
       where seq > $2 order by seq limit ${SETTLED_AT_ONCE}
     ), settled as (
       update openadr3_changes set xid = ${SEEN_BY_ALL} where seq in (select seq from looked where is_outdated)
     )
     select count(*) filter (where is_outdated) as dropped, max(seq) as last from looked`,
    [now, after],
  );
  return rows[0] ?? { dropped: 0, last: null };
};
