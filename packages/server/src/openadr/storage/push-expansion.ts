import { IS_RECENT } from "../../dispatch/storage/dispatch-conditions.js";
import type { Queryable } from "../../platform/database/database.js";
import { LISTED_AFTER_END_MS } from "../domain/ven.js";
import type { VenPushes } from "../operations/ven-ports.js";
import { HAS_ADDRESS, IS_OF_INTEREST, IS_STILL_PUSHED, MAY_BE_PUSHED, WITH_ITS_SITES } from "./push-conditions.js";

/** A poll that is under way when a dispatch is cancelled may still show it: only after this is the VEN known not to have it. */
const LONGEST_POLL = "interval '1 minute'";

/** @param pairs row source of `vens`, and of `dispatches` with sites of theirs, at $1 */
const expand = (pairs: string, condition = "true"): string => `
  insert into ven_pushes as pushes (ven, dispatch_id, modification_number, failures, next_attempt_at)
  select vens.id, dispatches.id, dispatches.modification_number, 0,
    case when ${IS_OF_INTEREST} then $1::timestamptz else $1::timestamptz + ${LONGEST_POLL} end
  from ${pairs} join accounts on accounts.id = vens.account_id
  where ${MAY_BE_PUSHED} and ${condition}
  order by vens.id, dispatches.id
  on conflict (ven, dispatch_id) do update
  set modification_number = excluded.modification_number, failures = 0, next_attempt_at = excluded.next_attempt_at
  where pushes.modification_number < excluded.modification_number`;

/** Of the dispatches $2. Those that are over, too: whether they are pushed is decided when they are due. */
const OF_DISPATCHES = expand(`
  (select * from dispatches where id = any($2::text[])) as dispatches
  cross join lateral (
    select distinct account_id from dispatch_sites where dispatch_id = dispatches.id
  ) as dispatched join vens on vens.account_id = dispatched.account_id and (vens.site_ids is null or exists (
    select from dispatch_sites where dispatch_id = dispatches.id and site_id = any(vens.site_ids)))`);

/** Of VENs with what lists show since $2. */
const currentOf = (vens: string): string => `
  (select * from vens where ${vens}) as vens
  cross join (select * from dispatches where notification_time <= $1 and ${IS_RECENT}) as dispatches ${WITH_ITS_SITES}`;

const OF_VENS = expand(currentOf("id = any($3::text[]) or account_id = any($4::text[])"), IS_STILL_PUSHED);

/** A notice that nobody has seen to yet is followed later. */
const REBUILD = expand(
  currentOf(HAS_ADDRESS),
  `${IS_STILL_PUSHED} and ${IS_OF_INTEREST} and not exists (
    select from notices where notices.dispatch_id = dispatches.id and noted_at is null and due_at <= $1)`,
);

const listedSince = (at: Date): Date => new Date(at.getTime() - LISTED_AFTER_END_MS);

export const pushExpansion = (db: Queryable): VenPushes => ({
  async ofDispatches(dispatchIds, at) {
    if (dispatchIds.length === 0) return;
    // Planned each time, as for a dispatch of few sites a plan for many takes seconds.
    await db.query(OF_DISPATCHES, [at, dispatchIds]);
  },
  async ofVens({ venIds, accountIds }, at) {
    if (venIds.length + accountIds.length === 0) return;
    await db.query(OF_VENS, [at, listedSince(at), venIds, accountIds]);
  },
  async rebuild(at) {
    const { rowCount } = await db.query(REBUILD, [at, listedSince(at)]);
    return rowCount !== 0;
  },
});
