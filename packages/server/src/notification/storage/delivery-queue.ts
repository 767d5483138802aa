import type pg from "pg";
import { HUNG_MS, type Outcome } from "../../platform/attempt.js";
import { advisoryLocks } from "../../platform/database/advisory-locks.js";
import { type Row, type RowOf, selection } from "../../platform/database/columns.js";
import { type SecretBox, UnreadableSecret, webhookPlace } from "../../platform/secret-box.js";
import type { AttemptRecord, ClaimedDelivery } from "../domain/delivery.js";
import type { DeliveryQueue } from "../operations/deliver-notices.js";

const deliveryRow = selection("deliveries", ["id", "webhook_id", "dispatch_id", "event", "failures"]);
type ClaimedRow = RowOf<typeof deliveryRow> &
  Row<"webhooks", "url"> & {
    readonly secrets: readonly string[];
    readonly is_resend: boolean;
    readonly noticed_at: Date;
  };

type ExpandedRow = ClaimedRow & { readonly is_taken: boolean; readonly has_more: boolean };
/** A look that creates nothing. */
type EmptyLook = { readonly id: null; readonly has_more: boolean };

const claimedOf = (box: SecretBox, row: ClaimedRow, leasedUntil: Date): ClaimedDelivery => ({
  ...deliveryRow.camel(row),
  url: row.url,
  secrets: openedSecrets(box, row),
  isResend: row.is_resend,
  noticedAt: row.noticed_at,
  leasedUntil,
});

/** A secret that cannot be decrypted fails its webhook's deliveries; it must not hold up others. */
const openedSecrets = (box: SecretBox, { webhook_id, secrets }: ClaimedRow): readonly string[] => {
  try {
    return secrets.map((secret) => box.open(secret, webhookPlace(webhook_id)));
  } catch (error) {
    if (error instanceof UnreadableSecret) return [];
    throw error;
  }
};

/** Batch sizes: the first are sent while the next are written; few at first, so that sending begins soon. */
const [EXPANDED_FIRST, EXPANDED_AT_ONCE] = [64, 1024];
/** Of a notice whose webhooks that are left hang: each batch looks for all of them. */
const EXPANDED_BEHIND = 2000;
/** Each look reads the webhooks of all notices that it takes: of those with quick ones left, the least advanced. */
const NOTICES_AT_ONCE = 4;
const SECRETS =
  "case when previous_secret_until > $1 then array[secret, previous_secret] else array[secret] end as secrets";

export interface DeliveryQueueOptions {
  /** Whether a delivery that fails for good creates a mail to the account's contacts (G31, G40). */
  readonly mails: boolean;
  /** The same for every worker of the queue. */
  readonly expansionLock: number;
}

export const productionQueue: DeliveryQueueOptions = { mails: true, expansionLock: advisoryLocks.expansion };
export const sandboxQueue: DeliveryQueueOptions = { mails: false, expansionLock: advisoryLocks.sandboxExpansion };

export const deliveryQueue = (
  pool: pg.Pool,
  secrets: SecretBox,
  { mails, expansionLock }: DeliveryQueueOptions,
): DeliveryQueue => ({
  async hasNotice(now) {
    const text = "select from notices where state = 'waiting' and due_at <= $1 limit 1";
    const { rowCount } = await pool.query({ name: "find-due-notice", text, values: [now] });
    return rowCount === 1;
  },
  async hasDue({ now, lapsedBefore }) {
    const { rowCount } = await pool.query({
      name: "find-due-delivery",
      text: `(select from deliveries where resend_at is not null and (leased_until is null or leased_until <= $2)
                order by resend_at limit 1)
             union all
             (select from deliveries where state = 'pending' and not behind and next_attempt_at <= $1
                and (leased_until is null or leased_until <= $2) order by next_attempt_at limit 1)`,
      values: [now, lapsedBefore],
    });
    return rowCount !== null && rowCount > 0;
  },
  async hasBehind() {
    const text = "select from deliveries where state = 'pending' and behind limit 1";
    return (await pool.query({ name: "find-delivery-behind", text })).rowCount === 1;
  },
  async expandDue({ now, leasedUntil, limit, hung, barsHung }) {
    // One worker at a time, in commit order: a dispatch's deliveries have the order of its changes. A worker that
    // started before it could see another's changes finds the notices advanced, and creates nothing. Webhooks that
    // hang come after the others of all notices, and each account's first webhook before the second of any: thousands
    // that never answer do not delay the rest. New deliveries are claimed in the same statement, unless their webhook still
    // has others pending.
    const { rows } = await pool.query<ExpandedRow | EmptyLook>({
      name: "expand-notices",
      text: `with turn as materialized (
               select pg_try_advisory_xact_lock(${expansionLock}) as is_ours
             ), waiting as materialized (
               select seq, dispatch_id, event, due_at, slices, behind,
                 row_number() over (partition by dispatch_id order by seq) as nth
               from notices where state = 'waiting' and due_at <= $1 and (select is_ours from turn)
             ), due as materialized (
               select * from waiting
               where nth = 1 and (behind, slices) = (select behind, slices from waiting where nth = 1 order by behind, slices limit 1)
               order by seq limit ${NOTICES_AT_ONCE}
             ), given as materialized (
               select due.seq as notice_seq, webhook_id from due join deliveries on deliveries.dispatch_id = due.dispatch_id
                 and deliveries.notice_seq = due.seq
             ), concerned as (
               select due.seq as notice_seq, webhooks.id as webhook_id, webhooks.seq as webhook_seq,
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
               where behind or is_quick order by place, notice_seq, webhook_seq
               limit (select case when behind then ${EXPANDED_BEHIND} else least(${EXPANDED_FIRST} * 4 ^ slices, ${EXPANDED_AT_ONCE}) end
                 from due order by seq limit 1)
             ), progress as (
               select due.seq, taken, coalesce(quick, 0) = taken as is_quick_done, coalesce(every, 0) = taken as is_done
               from due
               left join (select notice_seq, count(*) as every, count(*) filter (where behind or is_quick) as quick
                 from candidate join due on due.seq = notice_seq group by notice_seq) as counted on counted.notice_seq = due.seq
               cross join lateral (select count(*) as taken from slice where notice_seq = due.seq) as sliced
             ), moved as (
               update notices
               set slices = notices.slices + sign(taken)::int, behind = notices.behind or is_quick_done,
                 state = case when is_done then 'sent' else notices.state end
               from due join progress using (seq)
               where notices.seq = due.seq and notices.state = 'waiting' and notices.slices = due.slices
                 and notices.behind = due.behind
               returning notices.seq, notices.state
             ), told as (
               select slice.*, (is_quick or not $5) and row_number() over (partition by webhook_id order by notice_seq) = 1
                   and not exists (select from deliveries where deliveries.webhook_id = slice.webhook_id and state = 'pending')
                 as is_first
               from slice join moved on moved.seq = notice_seq
             ), made as materialized (
               select *, 'dlv_' || replace(gen_random_uuid()::text, '-', '') as id,
                 is_first and row_number() over (order by is_first desc, place, notice_seq, webhook_seq) <= $3 as is_taken
               from told
             ), written as (
               insert into deliveries
                 (id, webhook_id, notice_seq, dispatch_id, event, next_attempt_at, created_at, leased_until, behind)
               select id, webhook_id, notice_seq, dispatch_id, event, $1, $1, case when is_taken then $2::timestamptz end, not is_quick
               from made order by notice_seq, webhook_seq
             ), looked as (
               select (select count(*) from waiting) > count(*) filter (where state = 'sent') as has_more from moved
             )
             select made.id, webhook_id, dispatch_id, event, url, 0 as failures, false as is_resend, due_at as noticed_at,
               ${SECRETS}, is_taken, has_more
             from looked left join made on true left join webhooks on webhooks.id = webhook_id and is_taken`,
      values: [now, leasedUntil, limit, hung, barsHung],
    });
    const made = rows.filter((row): row is ExpandedRow => row.id !== null);
    const claimed = made.filter((row) => row.is_taken).map((row) => claimedOf(secrets, row, leasedUntil));
    return { claimed, left: made.length - claimed.length, hasMore: rows[0]?.has_more === true };
  },
  async claim({ now, leasedUntil, lapsedBefore, limit, perWebhook, inFlightUntil, hung }) {
    // Looks up the earliest delivery by index for each row. With `not exists` (an earlier one), the planner, whose
    // statistics mostly show nothing pending, compared all rows with all: 36 s for 10,000. `not in` uses a hash, so
    // deliveries waiting for dead receivers are skipped at once, however many.
    const { rows } = await pool.query<ClaimedRow>({
      name: "claim-deliveries",
      text: `with resent as (
               select id from deliveries
               where resend_at is not null and (leased_until is null or leased_until <= $6)
               order by resend_at limit $3 for update skip locked
             ), flying as materialized (
               select webhook_id, count(*) as in_flight from deliveries
               where leased_until > $5 and state = 'pending' group by webhook_id
             ), due as (
               select id, webhook_id, seq from deliveries as due
               where state = 'pending' and not behind and next_attempt_at <= $1 and (leased_until is null or leased_until <= $6)
                 and resend_at is null and webhook_id not in (select webhook_id from flying where in_flight >= $4)
                 and webhook_id not in (select unnest($7::text[]))
                 and due.seq = (
                   select earlier.seq from deliveries as earlier
                   where earlier.webhook_id = due.webhook_id and earlier.dispatch_id = due.dispatch_id
                     and earlier.state = 'pending' order by earlier.seq limit 1)
               order by next_attempt_at limit $3 - (select count(*) from resent) for update skip locked
             ), placed as (
               select id, coalesce(in_flight, 0) + row_number() over (partition by webhook_id order by seq) as place
               from due left join flying using (webhook_id)
             )
             update deliveries set leased_until = $2
             from webhooks, notices
             where deliveries.id in (select id from resent union all select id from placed where place <= $4)
               and webhooks.id = webhook_id and notices.seq = notice_seq
             returning deliveries.id, webhook_id, deliveries.dispatch_id, deliveries.event, url, failures,
               resend_at is not null as is_resend, due_at as noticed_at, ${SECRETS}`,
      values: [now, leasedUntil, limit, perWebhook, inFlightUntil, lapsedBefore, hung],
    });
    return rows.map((row) => claimedOf(secrets, row, leasedUntil));
  },
  async claimBehind({ now, leasedUntil, lapsedBefore, limit, inFlightUntil }) {
    // Steps from webhook to webhook by index, and takes the oldest due delivery of each: how many wait costs nothing.
    const { rows } = await pool.query<ClaimedRow>({
      name: "claim-deliveries-behind",
      text: `with recursive webhook as (
               (select webhook_id from deliveries where state = 'pending' and behind order by webhook_id limit 1)
               union all
               select (select next.webhook_id from deliveries as next
                 where next.state = 'pending' and next.behind and next.webhook_id > webhook.webhook_id
                 order by next.webhook_id limit 1)
               from webhook where webhook.webhook_id is not null
             ), flying as materialized (
               select webhook_id from deliveries where leased_until > $4 and state = 'pending'
             ), first as (
               select oldest.id from webhook cross join lateral (
                 select id, next_attempt_at from deliveries as due
                 where due.webhook_id = webhook.webhook_id and state = 'pending' and behind and next_attempt_at <= $1
                   and (leased_until is null or leased_until <= $5) and resend_at is null
                   and due.seq = (
                     select earlier.seq from deliveries as earlier
                     where earlier.webhook_id = due.webhook_id and earlier.dispatch_id = due.dispatch_id
                       and earlier.state = 'pending' order by earlier.seq limit 1)
                 order by due.seq limit 1) as oldest
               where webhook.webhook_id is not null and webhook.webhook_id not in (select webhook_id from flying)
               order by next_attempt_at limit $3
             ), free as (
               select id from deliveries
               -- As pending ones only, but by their ids: an index of all pending ones would be read whole.
               where id in (select id from first) and next_attempt_at is not null and (leased_until is null or leased_until <= $5)
               for update skip locked
             ), taken as (
               update deliveries set leased_until = $2 where id in (select id from free)
               returning id, webhook_id, dispatch_id, event, failures, notice_seq
             )
             select taken.id, webhook_id, taken.dispatch_id, taken.event, url, failures, false as is_resend,
               due_at as noticed_at, ${SECRETS}
             from taken join webhooks on webhooks.id = webhook_id join notices on notices.seq = notice_seq`,
      values: [now, leasedUntil, limit, inFlightUntil, lapsedBefore],
    });
    return rows.map((row) => claimedOf(secrets, row, leasedUntil));
  },
  async record(records) {
    // Locked in order of id, as in deleting a webhook, to avoid a deadlock. A delivery dropped while in flight stays
    // dropped unless it was delivered. One that fails for good creates a mail, one for all webhooks of the account,
    // unless a participant requested the dispatch itself (G31), or a mail with the same or newer content was sent or is
    // pending.
    await pool.query({
      name: "record-attempts",
      text: `with given as (
               select * from unnest($1::text[], $2::timestamptz[], $3::int[], $4::int[], $5::text[], $6::text[], $7::text[],
                 $8::timestamptz[], $9::int[], $10::boolean[], $11::text[], $12::text[], $13::timestamptz[])
                 as given (id, at, status, duration_ms, address, error, outcome, next_at, failed, is_resend,
                   response_type, response_body, lease)
             ), locked as materialized (
               select id, webhook_id, leased_until, state from deliveries where id in (select id from given) order by id for update
             ), attempted as (
               insert into delivery_attempts
                 (delivery_id, number, at, status, duration_ms, address, error, is_resend, gave_up, response_type, response_body)
               select id, 1 + (select coalesce(max(number), 0) from delivery_attempts where delivery_id = given.id),
                 at, status, duration_ms, address, error, is_resend,
                 coalesce(outcome = 'failed' and leased_until = lease and state = 'pending', false), response_type, response_body
               from given join locked using (id)
               where leased_until = lease
                 or not exists (select from delivery_attempts as made where made.delivery_id = id and made.at = given.at)
             ), late as (
               -- Made before it was known that their webhook hangs.
               update deliveries set behind = true
               where id in (
                 select id from deliveries
                 where state = 'pending' and not behind and id not in (select id from given) and webhook_id in (
                   select webhook_id from locked join given using (id) where duration_ms >= ${HUNG_MS})
                 for update skip locked)
             ), recorded as (
               update deliveries
               set state = case when state = 'dropped' and outcome <> 'delivered' then state else coalesce(outcome, state) end,
                 next_attempt_at = case when outcome is null or state = 'dropped' then next_attempt_at else next_at end,
                 leased_until = null, failures = failures + failed, behind = duration_ms >= ${HUNG_MS},
                 resend_at = case when is_resend then null else resend_at end
               from given
               where deliveries.id = given.id and deliveries.id in (select id from locked)
                 and (state in ('pending', 'dropped') or is_resend)
                 and (leased_until = lease or outcome = 'delivered')
               returning webhook_id, notice_seq, dispatch_id, event, at, outcome, state
             )
             insert into mails (id, account_id, notice_seq, dispatch_id, event, next_attempt_at, created_at)
             select distinct on (account_id, notice_seq)
               'mail_' || replace(gen_random_uuid()::text, '-', ''), account_id, notice_seq, recorded.dispatch_id,
               recorded.event, at, at
             from recorded
             join webhooks on webhooks.id = webhook_id
             join dispatches on dispatches.id = recorded.dispatch_id
             join programs on programs.id = program_id
             join notices on notices.seq = notice_seq
             where outcome = 'failed' and recorded.state = 'failed' and $14 and not built_in and not self_made and not exists (
               select from mails where mails.dispatch_id = recorded.dispatch_id and mails.account_id = webhooks.account_id
                 and (mails.notice_seq > recorded.notice_seq or carried_modification >= notices.modification_number))
             on conflict (account_id, notice_seq) do nothing`,
      values: [...columnsOf(records), mails],
    });
  },
});

const columnsOf = (records: readonly AttemptRecord[]): unknown[] => [
  records.map(({ delivery }) => delivery.id),
  records.map(({ attempt }) => attempt.at),
  records.map(({ attempt }) => attempt.status),
  records.map(({ attempt }) => attempt.durationMs),
  records.map(({ attempt }) => attempt.address),
  records.map(({ attempt }) => attempt.error),
  records.map(({ outcome }) => (outcome.state === "unchanged" ? null : outcome.state)),
  records.map(({ outcome }) => (outcome.state === "pending" ? outcome.nextAttemptAt : null)),
  records.map(({ delivery, outcome }) => (delivery.isResend || isDelivered(outcome) ? 0 : 1)),
  records.map(({ delivery }) => delivery.isResend),
  records.map(({ attempt }) => attempt.responseType),
  records.map(({ attempt }) => attempt.responseBody),
  records.map(({ delivery }) => delivery.leasedUntil),
];

const isDelivered = ({ state }: Outcome): boolean => state === "delivered";
