import { type Row, type RowOf, selection } from "../../platform/database/columns.js";
import type { Queryable } from "../../platform/database/database.js";
import {
  type Callbacks,
  type Candidate,
  type NewNotification,
  notificationsOf,
} from "../operations/queue-notifications.js";
import { notificationProgress } from "./notification-queue.js";
import { GRANTED } from "./object-row.js";

const changeRow = selection("openadr3_changes", [
  "operation",
  "object_type",
  "object_id",
  "client_id",
  "ven_id",
  "targets",
  "kept_targets",
]);
type CandidateRow = Row<"openadr3_clients", "role"> &
  RowOf<typeof changeRow> & {
    readonly change_seq: number;
    readonly program_id: string | null;
    readonly subscription_id: string;
    readonly subscriber: string;
    readonly body: object;
    readonly own_ven_id: string | null;
    readonly granted: readonly string[];
  };

const ASKS = `exists (
  select from jsonb_array_elements(subscription.body -> 'objectOperations') as entry
  where entry -> 'objects' ? change.object_type and entry -> 'operations' ? change.operation)`;

/** A change from before a subscription is no news for it, and neither is the subscription itself. Old creations are pruned. */
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
  select addressed.seq as change_seq, subscription.id as subscription_id, clients.id as subscriber, clients.role,
    subscription.body, ven.id as own_ven_id, array(${GRANTED}) as granted, ${changeRow.columns},
    -- A report belongs to the program of its event.
    coalesce(openadr3_changes.program_id, event.program_id) as program_id
  from addressed join change as openadr3_changes using (seq)
  left join openadr3_objects as event on openadr3_changes.object_type = 'REPORT' and event.id = object ->> 'eventID'
  join openadr3_objects as subscription on subscription.id = addressed.id
  join openadr3_clients as clients on clients.id = subscription.client_id and revoked_at is null
  left join accounts on accounts.id = clients.account_id
  left join openadr3_objects as ven on ven.object_type = 'VEN' and ven.environment = subscription.environment
    and ven.client_id = subscription.client_id
  where accounts.disabled is not true`;

export const callbacks = (db: Queryable): Callbacks => ({
  async ofChanges(seqs, at) {
    await write(db, notificationsOf(await candidatesOf(db, seqs)), at);
  },
});

const candidatesOf = async (db: Queryable, seqs: readonly number[]): Promise<Candidate[]> => {
  const { rows } = await db.query<CandidateRow>({ name: "openadr3-candidates", text: CANDIDATES, values: [seqs] });
  return rows.map((row) => ({
    change: { ...changeRow.camel(row), programId: row.program_id },
    changeSeq: row.change_seq,
    subscriptionId: row.subscription_id,
    clientId: row.subscriber,
    grants: row.role === "bl" ? null : { venId: row.own_ven_id, targets: row.granted },
    filter: row.body as Candidate["filter"],
  }));
};

const write = async (db: Queryable, notifications: readonly NewNotification[], now: Date): Promise<void> => {
  if (notifications.length === 0) return;
  await db.query(
    `with written as (
     insert into passing_messages (id, recipient, account_id, change_seq, entry, client_id, subject, event, detail, next_attempt_at, created_at)
     select 'odl_' || replace(gen_random_uuid()::text, '-', ''), "subscriptionId", clients.account_id, "changeSeq", entry, "clientId",
       "objectId", lower(changes.object_type || '.' || operation), jsonb_strip_nulls(jsonb_build_object('url', url, 'targets', given.targets)), $2, $2
     from jsonb_to_recordset($1::jsonb) as given (place int, "changeSeq" bigint, "subscriptionId" text, entry int,
       "clientId" text, "objectId" text, url text, targets text[])
     join openadr3_changes as changes on changes.seq = "changeSeq" join openadr3_clients as clients on clients.id = "clientId"
     order by place on conflict do nothing returning change_seq, client_id
     )
     ${notificationProgress("written", "$2")}`,
    [JSON.stringify(notifications.map((each, place) => ({ ...each, place }))), now],
  );
};
