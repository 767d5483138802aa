import type pg from "pg";
import { progressIn } from "../../dispatch/storage/progress.js";
import type { Row } from "../../platform/database/columns.js";
import type { Queryable } from "../../platform/database/database.js";
import { type DueWork, IS_UNLEASED } from "../../platform/database/due-work.js";
import { bearerTokensPlace, type SecretBox, UnreadableSecret } from "../../platform/secret-box.js";
import type { ClaimedNotification } from "../domain/notification.js";
import type { NotificationQueue } from "../operations/send-notifications.js";

type ClaimedRow = Row<"openadr3_deliveries", "id" | "subscription_id" | "targets" | "failures" | "url"> &
  Row<"openadr3_changes", "operation" | "object_type"> & {
    readonly object: object;
    readonly entry: number;
    readonly bearer_tokens: string | null;
  };

/** The next notification that waits. */
export const dueNotifications: DueWork = {
  name: "notifications of OpenADR 3",
  next: `select next_attempt_at from openadr3_deliveries where state = 'pending' and ${IS_UNLEASED}
    order by next_attempt_at limit 1`,
};

export const notificationQueue = (pool: pg.Pool, secrets: SecretBox): NotificationQueue => ({
  async claim({ now, leasedUntil, lapsedBefore, limit }) {
    await dropUnwanted(pool, now);
    const { rows } = await pool.query<ClaimedRow>({
      name: "claim-openadr3-notifications",
      text: `with flying as materialized (
               select distinct subscription_id from openadr3_deliveries where leased_until > $3 and state = 'pending'
             ), due as (
               select distinct on (subscription_id) id from openadr3_deliveries as due
               where state = 'pending' and next_attempt_at <= $1 and (leased_until is null or leased_until <= $3)
                 and subscription_id not in (select subscription_id from flying)
                 and seq = (
                   select seq from openadr3_deliveries as earlier
                   where earlier.subscription_id = due.subscription_id and earlier.object_id = due.object_id
                     and earlier.entry = due.entry and earlier.state = 'pending' order by seq limit 1)
               order by subscription_id, seq limit $4
             ), locked as (
               -- Again, as another process may have claimed or recorded it since this statement began.
               select id from openadr3_deliveries where id in (select id from due) and state = 'pending'
                 and next_attempt_at <= $1 and (leased_until is null or leased_until <= $3)
               order by id for update skip locked
             )
             update openadr3_deliveries as claimed set leased_until = $2,
               url = subscription.body -> 'objectOperations' -> entry ->> 'callbackUrl'
             from openadr3_changes as changes, openadr3_objects as subscription
             where claimed.id in (select id from locked) and changes.seq = change_seq and subscription.id = subscription_id
             returning claimed.id, subscription_id, url, entry, claimed.targets, failures, operation,
               changes.object_type, object, bearer_tokens`,
      values: [now, leasedUntil, lapsedBefore, limit],
    });
    return rows.map((row) => claimedFromRow(row, secrets, leasedUntil));
  },
  async record({ notification: { id, leasedUntil }, attempt, outcome }) {
    const { at, status, durationMs, address, error } = attempt;
    await pool.query(
      `with locked as materialized (
         select id, leased_until, state from openadr3_deliveries where id = $1 for update
       ), attempted as (
         insert into openadr3_attempts (delivery_id, number, at, status, duration_ms, address, error, gave_up)
         select id, 1 + (select coalesce(max(number), 0) from openadr3_attempts where delivery_id = $1), $2, $3, $4, $5, $6,
           $7 = 'failed' and leased_until = $9 and state = 'pending'
         from locked
         where not exists (select from openadr3_attempts as made where made.delivery_id = $1 and made.at = $2)
       ), recorded as (
         update openadr3_deliveries set state = $7, next_attempt_at = $8, leased_until = null,
           failures = failures + case when $7 = 'delivered' then 0 else 1 end
         from locked
         where openadr3_deliveries.id = locked.id and locked.state = 'pending'
           and (locked.leased_until = $9 or $7 = 'delivered')
         returning change_seq, client_id
       )
       ${ofDeliveries("recorded", "$2")}`,
      [
        id,
        at,
        status,
        durationMs,
        address,
        error,
        outcome.state,
        outcome.state === "pending" ? outcome.nextAttemptAt : null,
        leasedUntil,
      ],
    );
  },
});

/** Appends that there is news of notifications, if they follow dispatches. */
export const ofDeliveries = (rows: string, at: string): string =>
  progressIn(`select dispatch_id, account_id from ${rows} join openadr3_notices using (change_seq, client_id)`, { at });

/** Nothing more is sent once the subscription is gone, or that part of it, or while the account is disabled. */
const dropUnwanted = async (db: Queryable, now: Date): Promise<void> => {
  await db.query({
    name: "drop-openadr3-notifications",
    text: `with unwanted as (
             select deliveries.id, case when disabled then 'account_disabled' else 'subscription_deleted' end as reason
             from openadr3_deliveries as deliveries
             left join openadr3_objects as subscription on subscription.id = subscription_id
             left join openadr3_clients as clients on clients.id = deliveries.client_id
             left join accounts on accounts.id = clients.account_id
             where deliveries.state = 'pending' and next_attempt_at <= $1
               and (disabled or subscription.body -> 'objectOperations' -> entry is null)
             order by deliveries.id for update of deliveries skip locked
           ), dropped as (
             update openadr3_deliveries set state = 'dropped', next_attempt_at = null, leased_until = null, dropped_at = $1,
               drop_reason = reason
             from unwanted where unwanted.id = openadr3_deliveries.id returning change_seq, openadr3_deliveries.client_id
           )
           ${ofDeliveries("dropped", "$1")}`,
    values: [now],
  });
};

const claimedFromRow = (row: ClaimedRow, secrets: SecretBox, leasedUntil: Date): ClaimedNotification => ({
  id: row.id,
  subscriptionId: row.subscription_id,
  url: row.url,
  bearerToken: tokenOf(row, secrets),
  operation: row.operation,
  objectType: row.object_type,
  object: row.object,
  targets: row.targets,
  failures: row.failures,
  leasedUntil,
});

/** A token that cannot be decrypted must not hold up the notifications of others: the receiver refuses this one. */
const tokenOf = ({ bearer_tokens, subscription_id, entry }: ClaimedRow, secrets: SecretBox): string | null => {
  if (bearer_tokens === null) return null;
  try {
    const tokens = JSON.parse(secrets.open(bearer_tokens, bearerTokensPlace(subscription_id))) as Array<string | null>;
    return tokens[entry] ?? null;
  } catch (error) {
    if (error instanceof UnreadableSecret) return null;
    throw error;
  }
};
