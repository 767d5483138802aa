import type pg from "pg";
import { progressIn } from "../../dispatch/storage/progress.js";
import { takeTurn } from "../../platform/database/advisory-locks.js";
import { type Row, type RowOf, selection } from "../../platform/database/columns.js";
import { inTransaction, type Queryable } from "../../platform/database/database.js";
import { type DueWork, IS_UNLEASED } from "../../platform/database/due-work.js";
import { bearerTokensPlace, type SecretBox, UnreadableSecret } from "../../platform/secret-box.js";
import type { ClaimedNotification } from "../domain/notification.js";
import {
  type Candidate,
  type DueChange,
  type NewNotification,
  notificationsOf,
} from "../operations/queue-notifications.js";
import type { NotificationQueue } from "../operations/send-notifications.js";
import { LOCKED_CHANGES } from "./object-change-store.js";
import { GRANTED } from "./object-row.js";

const changeRow = selection("openadr3_changes", [
  "seq",
  "operation",
  "object_type",
  "object_id",
  "client_id",
  "ven_id",
  "targets",
  "kept_targets",
]);
/** A report belongs to the program of its event. */
type ChangeRow = RowOf<typeof changeRow> & { readonly program_id: string | null };

type CandidateRow = Row<"openadr3_clients", "role"> & {
  readonly change_seq: number;
  readonly subscription_id: string;
  readonly client_id: string;
  readonly body: object;
  readonly ven_id: string | null;
  readonly granted: readonly string[];
};

type ClaimedRow = Row<"openadr3_deliveries", "id" | "subscription_id" | "targets" | "failures" | "url"> &
  Row<"openadr3_changes", "operation" | "object_type"> & {
    readonly object: object;
    readonly entry: number;
    readonly bearer_tokens: string | null;
  };

/** Changes that are queued at once; one to everybody may have a notification for each VEN. */
const CHANGES_AT_ONCE = 200;

const ASKS = `exists (
  select from jsonb_array_elements(subscription.body -> 'objectOperations') as entry
  where entry -> 'objects' ? change.object_type and entry -> 'operations' ? change.operation)`;

/** What was changed before a subscription is no news for it, and neither is itself. Old creations are pruned. */
const IS_LATER = `change.seq > coalesce((
  select min(seq) from openadr3_changes as creation
  where creation.object_id = subscription.id and creation.operation = 'CREATE'), 0)`;

/**
 * Subscriptions that may be notified of changes: of business logic; of the client that owns the object, or whose ven it
 * is for; and, for what is for no ven alone, of every VEN. Clients that are revoked or whose account is disabled are not
 * notified.
 */
const CANDIDATES = `
  with change as materialized (
    select changes.*, case when changes.object_type in ('PROGRAM', 'EVENT') then for_ven.client_id
      else changes.client_id end as only_client
    from openadr3_changes as changes
    left join openadr3_objects as for_ven on for_ven.id = changes.ven_id
    where changes.seq = any($1)
  ), addressed as (
    select change.seq, subscription.id from change join openadr3_clients as clients on clients.role = 'bl'
    join openadr3_objects as subscription on subscription.client_id = clients.id
      and subscription.object_type = 'SUBSCRIPTION' and subscription.environment = change.environment
    where ${IS_LATER} and ${ASKS}
    union
    select change.seq, subscription.id from change
    join openadr3_objects as subscription on subscription.client_id = change.only_client
      and subscription.object_type = 'SUBSCRIPTION' and subscription.environment = change.environment
    where ${IS_LATER} and ${ASKS}
    union
    select change.seq, subscription.id from change
    join openadr3_objects as subscription on subscription.object_type = 'SUBSCRIPTION'
      and subscription.environment = change.environment
    where change.object_type in ('PROGRAM', 'EVENT') and change.ven_id is null
      and ${IS_LATER} and ${ASKS}
  )
  select addressed.seq as change_seq, subscription.id as subscription_id, subscription.client_id, clients.role,
    subscription.body, ven.id as ven_id, array(${GRANTED}) as granted
  from addressed join openadr3_objects as subscription on subscription.id = addressed.id
  join openadr3_clients as clients on clients.id = subscription.client_id and revoked_at is null
  left join accounts on accounts.id = clients.account_id
  left join openadr3_objects as ven on ven.object_type = 'VEN' and ven.environment = subscription.environment
    and ven.client_id = subscription.client_id
  where accounts.disabled is not true`;

/** Changes that are not queued yet, and the next notification that waits. */
export const dueNotifications: DueWork = {
  name: "notifications of OpenADR 3",
  next: `least((select timestamptz 'epoch' from openadr3_changes where queued_at is null order by seq limit 1),
    (select next_attempt_at from openadr3_deliveries where state = 'pending' and ${IS_UNLEASED}
     order by next_attempt_at limit 1))`,
};

export const notificationQueue = (pool: pg.Pool, secrets: SecretBox): NotificationQueue => ({
  expand: (now) => inTransaction(pool, (client) => expandChanges(client, now)),
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

/** Creates the notifications of changes, within a transaction; returns whether there may be more changes. */
export const expandChanges = async (db: Queryable, now: Date): Promise<boolean> => {
  if (!(await takeTurn(db, "openadr3Expansion"))) return false;
  const changes = await dueChanges(db);
  if (changes.length === 0) return false;
  const seqs = changes.map(({ seq }) => seq);
  const candidates = await candidatesOf(db, seqs);
  await write(db, notificationsOf(changes, candidates), now);
  await db.query(
    `with locked as materialized (${LOCKED_CHANGES})
     update openadr3_changes as changes set queued_at = $2 from locked where changes.seq = locked.seq`,
    [seqs, now],
  );
  return changes.length === CHANGES_AT_ONCE;
};

const dueChanges = async (db: Queryable): Promise<DueChange[]> => {
  const { rows } = await db.query<ChangeRow>(
    `select ${changeRow.columns}, coalesce(openadr3_changes.program_id, event.program_id) as program_id
     from openadr3_changes left join openadr3_objects as event
       on openadr3_changes.object_type = 'REPORT' and event.id = object ->> 'eventID'
     where queued_at is null order by openadr3_changes.seq limit ${CHANGES_AT_ONCE}`,
  );
  return rows.map((row) => {
    const change = changeRow.camel(row);
    return { ...change, objectType: change.objectType, programId: row.program_id };
  });
};

const candidatesOf = async (db: Queryable, seqs: readonly number[]): Promise<Candidate[]> => {
  const { rows } = await db.query<CandidateRow>(CANDIDATES, [seqs]);
  return rows.map(({ change_seq, subscription_id, client_id, role, body, ven_id, granted }) => ({
    changeSeq: change_seq,
    subscriptionId: subscription_id,
    clientId: client_id,
    grants: role === "bl" ? null : { venId: ven_id, targets: granted },
    filter: body as Candidate["filter"],
  }));
};

const write = async (db: Queryable, notifications: readonly NewNotification[], now: Date): Promise<void> => {
  if (notifications.length === 0) return;
  await db.query(
    `with written as (
     insert into openadr3_deliveries
       (id, change_seq, subscription_id, entry, client_id, object_id, url, targets, next_attempt_at, created_at)
     select 'odl_' || replace(gen_random_uuid()::text, '-', ''), "changeSeq", "subscriptionId", entry, "clientId",
       "objectId", url, targets, $2, $2
     from jsonb_to_recordset($1::jsonb) as given (place int, "changeSeq" bigint, "subscriptionId" text, entry int,
       "clientId" text, "objectId" text, url text, targets text[])
     order by place on conflict do nothing returning change_seq, client_id
     )
     ${ofDeliveries("written", "$2")}`,
    [JSON.stringify(notifications.map((each, place) => ({ ...each, place }))), now],
  );
};

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
