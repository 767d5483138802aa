import type pg from "pg";
import type { ClaimedDelivery } from "../domain/delivery.js";
import type { WebhookEventName } from "../domain/webhook.js";
import type { DeliveryQueue } from "../operations/deliver-notices.js";
import { inTransaction, type Queryable } from "./database.js";

interface ClaimedRow {
  readonly id: string;
  readonly webhook_id: string;
  readonly dispatch_id: string;
  readonly event: WebhookEventName;
  readonly url: string;
  readonly secrets: readonly string[];
  readonly failures: number;
  readonly is_resend: boolean;
}

const fromRow = (row: ClaimedRow): ClaimedDelivery => ({
  id: row.id,
  webhookId: row.webhook_id,
  dispatchId: row.dispatch_id,
  event: row.event,
  url: row.url,
  secrets: row.secrets,
  failures: row.failures,
  isResend: row.is_resend,
});

export const deliveryQueue = (pool: pg.Pool): DeliveryQueue => ({
  expandDue: (now) => inTransaction(pool, (client) => expand(client, now)),
  async claim(now, leasedUntil, limit, busy) {
    // The earliest is looked up by index for each row. As `not exists` an earlier one, the planner, which mostly knows
    // the table with nothing pending, compared all with all: 36 s for 10,000.
    const { rows } = await pool.query<ClaimedRow>({
      name: "claim-deliveries",
      text: `with resent as (
               select id from deliveries
               where resend_at is not null and (leased_until is null or leased_until <= $1) and webhook_id <> all($4)
               order by resend_at limit $3 for update skip locked
             ), claimed as (
               select id from deliveries as due
               where state = 'pending' and next_attempt_at <= $1 and (leased_until is null or leased_until <= $1)
                 and webhook_id <> all($4) and resend_at is null
                 and due.seq = (
                   select earlier.seq from deliveries as earlier
                   where earlier.webhook_id = due.webhook_id and earlier.dispatch_id = due.dispatch_id
                     and earlier.state = 'pending' order by earlier.seq limit 1)
               order by next_attempt_at limit $3 - (select count(*) from resent) for update skip locked
             )
             update deliveries set leased_until = $2 from webhooks
             where deliveries.id in (select id from resent union all select id from claimed) and webhooks.id = webhook_id
             returning deliveries.id, webhook_id, dispatch_id, event, url, failures, resend_at is not null as is_resend,
               case when previous_secret_until > $1 then array[secret, previous_secret] else array[secret] end as secrets`,
      values: [now, leasedUntil, limit, busy],
    });
    return rows.map(fromRow);
  },
  async record({ id, isResend }, attempt, outcome) {
    const nextAttemptAt = outcome.state === "pending" ? outcome.nextAttemptAt : null;
    const state = outcome.state === "unchanged" ? null : outcome.state;
    // A delivery that was dropped while it was under way stays dropped. One that fails for good leaves a mail, the same
    // one for all webhooks of the account, unless a participant asked for the dispatch itself (G31).
    await pool.query({
      name: "record-attempt",
      text: `with attempted as (
               insert into delivery_attempts (delivery_id, number, at, status, duration_ms, address, error)
               select $1, coalesce(max(number), 0) + 1, $2, $3, $4, $5, $6 from delivery_attempts where delivery_id = $1
             ), recorded as (
               update deliveries
               set state = coalesce($7, state),
                 next_attempt_at = case when $7::text is null then next_attempt_at else $8::timestamptz end,
                 leased_until = null, failures = failures + $9,
                 resend_at = case when $10 then null else resend_at end
               where id = $1 and (state = 'pending' or $10 and state <> 'dropped')
               returning webhook_id, notice_seq, dispatch_id, event
             )
             insert into mails (id, account_id, notice_seq, dispatch_id, event, next_attempt_at, created_at)
             select 'mail_' || replace(gen_random_uuid()::text, '-', ''), account_id, notice_seq, dispatch_id, event, $2, $2
             from recorded
             join webhooks on webhooks.id = webhook_id
             join dispatches on dispatches.id = dispatch_id
             join programs on programs.id = program_id
             where $7 = 'failed' and not built_in
             on conflict (account_id, notice_seq) do nothing`,
      values: [
        id,
        attempt.at,
        attempt.status,
        attempt.durationMs,
        attempt.address,
        attempt.error,
        state,
        nextAttemptAt,
        isResend || outcome.state === "delivered" ? 0 : 1,
        isResend,
      ],
    });
  },
});

/** Any number, as long as every worker takes the same. */
const EXPANSION_LOCK = 7_283_466;

/**
 * A notice is sent when its deliveries are there, and never again. One worker at a time, in the order of writing: a
 * dispatch's deliveries have the order of its changes.
 */
const expand = async (client: Queryable, now: Date): Promise<number> => {
  const lock = await client.query<{ taken: boolean }>("select pg_try_advisory_xact_lock($1) as taken", [
    EXPANSION_LOCK,
  ]);
  if (lock.rows[0]?.taken !== true) return 0;
  const { rows } = await client.query<{ count: number }>({
    name: "expand-notices",
    text: `with taken as (
             update notices set state = 'sent' where state = 'waiting' and due_at <= $1 returning seq, dispatch_id, event
           ), made as (
             insert into deliveries (id, webhook_id, notice_seq, dispatch_id, event, next_attempt_at, created_at)
             select 'dlv_' || replace(gen_random_uuid()::text, '-', ''), webhooks.id, taken.seq, taken.dispatch_id, taken.event, $1, $1
             from taken
             join lateral (
               select distinct account_id from dispatch_sites where dispatch_id = taken.dispatch_id
             ) as told on true
             join webhooks on webhooks.account_id = told.account_id and taken.event = any(webhooks.events)
               and webhooks.deleted_at is null
             order by taken.seq, webhooks.seq
           )
           select count(*) as count from taken`,
    values: [now],
  });
  return rows[0]?.count ?? 0;
};
