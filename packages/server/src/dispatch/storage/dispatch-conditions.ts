import { LISTED_MS } from "../domain/dispatch.js";

/** Condition on a dispatch: a participant's own test (G15). */
export const IS_SELF_MADE = "(self_made or program_id in (select id from programs where built_in))";

/** Condition on a dispatch: nothing real depends on it. It is a participant's own test, or of the simulated site's program. */
export const IS_REHEARSAL = "(self_made or program_id in (select id from programs where built_in or is_simulated))";

/** Condition on a dispatch: it is of the simulated site's program. */
export const IS_SIMULATED = "program_id in (select id from programs where is_simulated)";

/** Condition on a dispatch: participants' systems learn of it; of a record they never do (G61). */
export const IS_ANNOUNCED = "not is_record";

/** Condition on a dispatch: it took place, at least in part: it was neither cancelled before its start nor voided. */
export const IS_EVENT = "(authorized or (changed_at > start_time and void_reason is null))";

/**
 * Not before. A range with two ends: without statistics, right after a restore, the planner takes one with a single end for a
 * third of the table and reads all of it; and so it does for a plan that is kept.
 */
const since = (column: string, at: string): string => `${column} between ${at} and 'infinity'`;

/** Of a dispatch: it is not over at $1; its end itself still counts. */
export const IS_NOT_OVER = `(end_time is null or ${since("end_time", "$1")})`;

/**
 * Condition on a row of `dispatches`, or on none: it was over at $1 by each end that its participants may know, so who is notified
 * of it then can do nothing any more. A dispatch that was ended early or shortened is not over before its former end: until they
 * are notified, its participants go on. One that had no end is over as soon as lists no longer have it: otherwise it would never be.
 */
export const isOver = (
  schema: "" | "sandbox." = "",
): string => `(coalesce(dispatches.end_time < $1, false) and not exists (
  select from ${schema}dispatch_revisions as revision
  where revision.dispatch_id = dispatches.id
    and case when revision.end_time is null then dispatches.changed_at >= $1::timestamptz - interval '${LISTED_MS} milliseconds'
      else revision.end_time >= $1 end
    and not ${isReplacedUnseen(schema)}))`;

/** Condition on a `revision`: another one replaced it before participants were notified. */
const isReplacedUnseen = (schema: string): string => `exists (
  select from ${schema}dispatch_revisions as later
  where later.dispatch_id = revision.dispatch_id and later.modification_number > revision.modification_number
    and later.at < dispatches.notification_time)`;

/** Condition on a dispatch: it is in progress at $1, and something real depends on it. */
export const IS_RUNNING = `authorized and start_time <= $1 and notification_time <= $1 and ${IS_NOT_OVER} and not ${IS_REHEARSAL}`;

/** Condition on a dispatch: it is not over, or was changed or notified since $2. Three indexed ranges. */
export const IS_RECENT = `(end_time is null or ${since("end_time", "$2")}
  or ${since("greatest(changed_at, notification_time)", "$2")})`;

/** Dispatches with an end that was given in advance last at most 31 days (G16); an index has the others. */
const USUAL_LENGTH = "interval '744 hours'";

/**
 * Dispatches that start before the end of a period, and before it only as long as one may last: found by their start, and
 * nothing of the time before is read. Whoever asks compares their end.
 */
export const startingAround = (from: string, to: string): string => `(
  select * from dispatches where start_time >= ${from}::timestamptz - ${USUAL_LENGTH} and start_time < ${to}::timestamptz
  union all
  select * from dispatches where start_time < ${from}::timestamptz - ${USUAL_LENGTH}
    and (end_time is null or end_time - start_time > ${USUAL_LENGTH})
)`;

/** Condition on a dispatch: it is not cancelled, or was cancelled so recently that it is still shown. */
export const isShown = (since: string): string => `(authorized or changed_at >= ${since})`;

/** The same, since $2. */
export const IS_SHOWN = isShown("$2");

/** Dispatches that may concern somebody who looks now; those that are over or cancelled, since $2. */
export const RECENT_DISPATCHES = `select * from dispatches where ${IS_RECENT} and ${IS_SHOWN}`;

/**
 * Columns of a row of `dispatches`: how many sites it has, and their commitments' sum. Counted only where the version before
 * wrote it.
 */
export const SITE_SUMS = `
  coalesce(called_sites, (select count(*) from dispatch_sites where dispatch_id = dispatches.id)) as site_count,
  coalesce(called_kw, (select coalesce(sum(commitment_kw), 0) from dispatch_sites where dispatch_id = dispatches.id))
    as commitment_kw`;

/** More accounts are found by reading the sites of each dispatch once. */
const MOST_LOOKED_UP = 8;

/**
 * Joins `dispatches` with those of some accounts that have sites in them, as `called_account`. The planner can neither
 * pull up nor reorder a lateral with a limit or a distinct: given an `exists`, it sorts the sites of all dispatches that
 * ever were, 1.7 s for two million.
 *
 * @param accounts a row source of ids
 * @param count how many they are at most
 */
export const calledAccounts = (accounts: string, count: number): { readonly join: string; readonly isFew: boolean } => {
  const isFew = count <= MOST_LOOKED_UP;
  return { join: isFew ? lookedUp(accounts) : readThrough(accounts), isFew };
};

const lookedUp = (accounts: string): string => `
  cross join ${accounts} as wanted (called_account)
  cross join lateral (
    select from dispatch_sites where dispatch_id = dispatches.id and account_id = called_account limit 1
  ) as is_called`;

const readThrough = (accounts: string): string => `
  cross join lateral (
    select distinct account_id as called_account from dispatch_sites
    where dispatch_id = dispatches.id and account_id = any(array(select wanted.id from ${accounts} as wanted (id)))
  ) as called`;
