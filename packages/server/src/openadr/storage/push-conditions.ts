import { IS_ANNOUNCED, IS_NOT_OVER, IS_SHOWN } from "../../dispatch/storage/dispatch-conditions.js";

/** Condition on a row of `vens`: it is pushed what it has not got. */
export const HAS_ADDRESS = "push_url is not null and deleted_at is null and environment = 'production'";

/** Condition on `vens`, its account and a dispatch that has sites of that account: the VEN may be pushed it. */
export const MAY_BE_PUSHED = `${HAS_ADDRESS} and not disabled and ${IS_ANNOUNCED}`;

/** Condition on `vens` and a dispatch: a cancelled one is only pushed if the VEN received it before. */
export const IS_OF_INTEREST = `(authorized or exists (
  select from ven_events where ven_events.ven = vens.id and ven_events.dispatch_id = dispatches.id))`;

/** Joins `vens` and `dispatches` where the dispatch has sites of the VEN. */
export const WITH_ITS_SITES = `cross join lateral (
  select from dispatch_sites where dispatch_sites.dispatch_id = dispatches.id and dispatch_sites.account_id = vens.account_id
    and (vens.site_ids is null or site_id = any(vens.site_ids)) limit 1
) as is_dispatched`;

/** Condition on a dispatch: VENs receive it at $1, as it is not over, or was changed since $2. */
export const IS_STILL_PUSHED = `((${IS_NOT_OVER} or changed_at >= $2) and ${IS_SHOWN})`;
