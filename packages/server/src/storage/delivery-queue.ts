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
  readonly secret: string;
  readonly failures: number;
}

const fromRow = (row: ClaimedRow): ClaimedDelivery => ({
  id: row.id,
  webhookId: row.webhook_id,
  dispatchId: row.dispatch_id,
  event: row.event,
  url: row.url,
  secret: row.secret,
  failures: row.failures,
});

export const deliveryQueue = (pool: pg.Pool): DeliveryQueue => ({
  expandDue: (now) => inTransaction(pool, (client) => expand(client, now)),
  async claim(now, leasedUntil, limit, busy) {
    const { rows } = await pool.query<ClaimedRow>({
      name: "claim-deliveries",
      text: `with claimed as (
               select id from deliveries as due
               where state = 'pending' and next_attempt_at <= $1 and (leased_until is null or leased_until <= $1)
                 and webhook_id <> all($4)
                 and not exists (
                   select from deliveries as earlier
                   where earlier.webhook_id = due.webhook_id and earlier.dispatch_id = due.dispatch_id
                     and earlier.seq < due.seq and earlier.state = 'pending')
               order by next_attempt_at limit $3 for update skip locked
             )
             update deliveries set leased_until = $2 from webhooks
             where deliveries.id in (select id from claimed) and webhooks.id = webhook_id
             returning deliveries.id, webhook_id, dispatch_id, event, url, secret, failures`,
      values: [now, leasedUntil, limit, busy],
    });
    return rows.map(fromRow);
  },
  async record({ id }, attempt, outcome) {
    const nextAttemptAt = outcome.state === "pending" ? outcome.nextAttemptAt : null;
    // A delivery that was dropped while it was under way stays dropped.
    await pool.query({
      name: "record-attempt",
      text: `with attempted as (
               insert into delivery_attempts (delivery_id, number, at, status, duration_ms, address, error)
               select $1, coalesce(max(number), 0) + 1, $2, $3, $4, $5, $6 from delivery_attempts where delivery_id = $1
             )
             update deliveries
             set state = $7, next_attempt_at = $8, leased_until = null, failures = failures + $9
             where id = $1 and state = 'pending'`,
      values: [
        id,
        attempt.at,
        attempt.status,
        attempt.durationMs,
        attempt.address,
        attempt.error,
        outcome.state,
        nextAttemptAt,
        outcome.state === "delivered" ? 0 : 1,
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
             insert into deliveries (id, webhook_id, dispatch_id, event, next_attempt_at, created_at)
             select 'dlv_' || replace(gen_random_uuid()::text, '-', ''), webhooks.id, taken.dispatch_id, taken.event, $1, $1
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
