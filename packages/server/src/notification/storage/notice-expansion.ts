import { lockedNotices } from "../../dispatch/storage/notice-store.js";
import { progressIn } from "../../platform/database/journal-progress.js";

/**
 * Batch sizes: the first are sent while the next are written; few at first, so that sending begins soon. Later as many as can be
 * claimed in the same statement, if these are many.
 */
const [EXPANDED_FIRST, EXPANDED_AT_ONCE, MANY] = [64, 1024, 512];
/** Of a notice whose webhooks that are left hang: each batch looks for all of them. */
const EXPANDED_BEHIND = 1000;
/** Each look reads the webhooks of all notices that it takes: of those with quick ones left, the least advanced. */
const NOTICES_AT_ONCE = 4;
/** Of a webhook, at the time `$1`. */
export const SECRETS =
  "case when previous_secret_until > $1 then array[secret, previous_secret] else array[secret] end as secrets";

/** Which notices and webhooks a look takes: conditions and a number in SQL. */
interface Look {
  /** Of the first notice of each dispatch. */
  readonly due: string;
  readonly notices: number;
  /** Of a webhook. */
  readonly included: string;
  readonly limit: string;
}

/**
 * Turns due notices into deliveries. One worker at a time, in commit order: a dispatch's deliveries have the order of its changes. A worker that started
 * before it could see another's changes finds the notices advanced, and creates nothing. Each account's first webhook comes
 * before the second of any: thousands that never answer do not delay the rest. New deliveries are claimed in the same
 * statement, unless their webhook still has others pending.
 */
const expansionOf = (lock: number, { due, notices, included, limit }: Look): string =>
  `with turn as materialized (
     select pg_try_advisory_xact_lock(${lock}) as is_ours
   ), waiting as materialized (
     select seq, dispatch_id, event, due_at, slices, behind,
       row_number() over (partition by dispatch_id order by seq) as nth, count(*) over (partition by dispatch_id) as of_dispatch
     from notices where state = 'waiting' and due_at <= $1 and (select is_ours from turn)
   ), due as materialized (
     select * from waiting where nth = 1 and ${due} order by seq limit ${notices}
   ), given as materialized (
     -- By arrays, and not by a join that reads all messages where the statistics show few.
     select notice_seq, recipient as webhook_id from messages
     where subject = any(array(select dispatch_id from due)) and notice_seq = any(array(select seq from due))
   ), concerned as (
     select due.seq as notice_seq, webhooks.account_id, webhooks.id as webhook_id, webhooks.seq as webhook_seq,
       row_number() over (partition by due.seq, webhooks.account_id order by webhooks.seq) as place
     from due
     join lateral (select distinct account_id from dispatch_sites where dispatch_id = due.dispatch_id) as told on true
     join webhooks on webhooks.account_id = told.account_id and due.event = any(webhooks.events)
       and webhooks.deleted_at is null
     -- G50. Hashed once: few accounts are disabled.
     where told.account_id not in (select id from accounts where disabled)
   ), candidate as materialized (
     select *, webhook_id not in (select unnest($4::text[])) as is_quick from concerned
     where (notice_seq, webhook_id) not in (select notice_seq, webhook_id from given)
   ), slice as (
     select candidate.*, dispatch_id, event, due_at from candidate join due on due.seq = notice_seq
     where ${included} order by place, notice_seq, webhook_seq limit ${limit}
   ), progress as (
     select due.seq, taken, coalesce(quick, 0) = taken as is_quick_done, coalesce(every, 0) = taken as is_done
     from due
     left join (select notice_seq, count(*) as every, count(*) filter (where ${included}) as quick
       from candidate group by notice_seq) as counted on counted.notice_seq = due.seq
     cross join lateral (select count(*) as taken from slice where notice_seq = due.seq) as sliced
   ), locked as materialized (
     ${lockedNotices("seq in (select seq from due)")}
   ), moved as (
     update notices
     set slices = notices.slices + sign(taken)::int, behind = notices.behind or is_quick_done,
       state = case when is_done then 'sent' else notices.state end
     from locked join due using (seq) join progress using (seq)
     where notices.seq = due.seq and notices.state = 'waiting' and notices.slices = due.slices
       and notices.behind = due.behind
     returning notices.seq, notices.state = 'waiting' and notices.behind = due.behind as is_left,
       notices.state = 'sent' and of_dispatch > 1 as has_next
   ), told as (
     select slice.*, is_quick and row_number() over (partition by webhook_id order by notice_seq) = 1
         and not exists (select from messages where channel = 'webhook' and messages.recipient = slice.webhook_id and state = 'pending')
       as is_first
     from slice join moved on moved.seq = notice_seq
   ), made as materialized (
     select *, 'dlv_' || replace(gen_random_uuid()::text, '-', '') as id,
       is_first and row_number() over (order by is_first desc, place, notice_seq, webhook_seq) <= $3 as is_taken
     from told
   ), written as (
     insert into messages
       (id, recipient, notice_seq, subject, event, next_attempt_at, created_at, leased_until, behind)
     select id, webhook_id, notice_seq, dispatch_id, event, $1, $1, case when is_taken then $2::timestamptz end, not is_quick
     from made order by notice_seq, webhook_seq
   ), followed as (
     ${progressIn("select dispatch_id, account_id from made", { at: "$1" })}
   ), looked as (
     select (select count(*) from made where is_quick and not is_taken)::int as left_over,
       (select count(*) from waiting where nth = 1 and behind in (select behind from due))
         > (select count(*) from moved where not is_left)
       or exists (select from moved where has_next) as has_more
   )
   select made.id, webhook_id as recipient, dispatch_id as subject, event, url, interface_version, 0 as failures, false as is_resend, due_at as noticed_at,
     ${SECRETS}, left_over, has_more
   from looked left join made on is_taken left join webhooks on webhooks.id = webhook_id`;

/** For webhooks that do not hang, of the least advanced notices. $1: now, $2: end of leases, $3: how many to claim, $4: webhooks that hang. */
export const expansion = (lock: number): string =>
  expansionOf(lock, {
    due: "not behind and slices = (select min(slices) from waiting where nth = 1 and not behind)",
    notices: NOTICES_AT_ONCE,
    included: "is_quick",
    limit: `(select least(${EXPANDED_FIRST} * 4 ^ least(slices, 8),
      case when $3 between ${MANY} and ${EXPANDED_AT_ONCE} then $3 else ${EXPANDED_AT_ONCE} end) from due order by seq limit 1)`,
  });

/** For all that are left, once the others have theirs. Before all other notices one that a later one of its dispatch waits for. */
export const expansionBehind = (lock: number): string =>
  expansionOf(lock, {
    due: "behind and seq = (select seq from waiting where nth = 1 and behind order by of_dispatch = 1, slices, seq limit 1)",
    notices: 1,
    included: "true",
    limit: `${EXPANDED_BEHIND}`,
  });
