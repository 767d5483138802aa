import { stateAfter } from "../../dispatch/storage/mailbox.js";
import { NOTICE_CHANNEL } from "../../dispatch/storage/notice-store.js";
import { type Row, type RowOf, selection } from "../../platform/database/columns.js";
import { appended } from "../../platform/database/commits.js";
import type { Queryable } from "../../platform/database/database.js";
import { progressIn } from "../../platform/database/journal-progress.js";
import { type Placed, pageOf, pageParameters } from "../../platform/database/page.js";
import type { Page, PageRequest } from "../../platform/page.js";
import type { Delivery, Resend, WebhookAttempt } from "../domain/delivery.js";
import { hasNumbers, resourceOf } from "../domain/webhook.js";
import type { DeliveryStore } from "../operations/notification-stores.js";

const deliveryRow = selection("messages", ["id", "event", "state", "next_attempt_at", "resend_at", "created_at"]);
type DeliveryRow = Placed<RowOf<typeof deliveryRow> & Row<"messages", "recipient" | "subject">>;

const attemptRow = selection("message_attempts", [
  "at",
  "status",
  "duration_ms",
  "address",
  "error",
  "response_type",
  "response_body",
]);
type AttemptRow = RowOf<typeof attemptRow> & Row<"message_attempts", "message_id">;

type ResendRow = Row<"audit_log", "at"> &
  Row<"messages", "recipient" | "subject" | "event"> &
  Row<"notices", "modification_number"> & { readonly delivery_id: string };

/** What was sent for deliveries, by their ids. */
interface Sent {
  readonly attempts: ReadonlyMap<string, readonly WebhookAttempt[]>;
  readonly resources: ReadonlyMap<string, string>;
}

const fromRow = (row: DeliveryRow, { attempts, resources }: Sent): Delivery => ({
  ...deliveryRow.camel(row),
  webhookId: row.recipient,
  dispatchId: row.subject,
  resource: resources.get(row.id) ?? "",
  attempts: attempts.get(row.id) ?? [],
});

/** Condition on a message: a delivery. */
export const IS_TO_WEBHOOK = "channel = 'webhook'";
const OF_WEBHOOKS = `messages where ${IS_TO_WEBHOOK}`;

/** A delivery belongs to its webhook's account, even if the webhook is deleted. */
const isWithin = (account: string): string =>
  `(${account}::text is null or recipient in (select id from webhooks where account_id = ${account}))`;

export const deliveryStore = (db: Queryable): DeliveryStore => ({
  async find(id, within) {
    const { rows } = await db.query<DeliveryRow>(`select * from ${OF_WEBHOOKS} and id = $1 and ${isWithin("$2")}`, [
      id,
      within,
    ]);
    return rows[0] === undefined ? null : fromRow(rows[0], await sentOf(db, rows));
  },
  async ofWebhook(webhookId, page) {
    const { rows } = await db.query<DeliveryRow>(
      `select * from ${OF_WEBHOOKS} and recipient = $3 and ($1::bigint is null or seq < $1)
       order by seq desc limit $2`,
      [...pageParameters(page), webhookId],
    );
    return withAttempts(db, rows, page);
  },
  async ofDispatch(dispatchId, within, page) {
    const { rows } = await db.query<DeliveryRow>(
      `select * from ${OF_WEBHOOKS} and subject = $3 and ($1::bigint is null or seq < $1) and ${isWithin("$4")}
       order by seq desc limit $2`,
      [...pageParameters(page), dispatchId, within],
    );
    return withAttempts(db, rows, page);
  },
  async ofDispatches(dispatchIds, page) {
    const { rows } = await db.query<DeliveryRow>(
      `select * from ${OF_WEBHOOKS} and subject = any($3) and ($1::bigint is null or seq < $1)
       order by seq desc limit $2`,
      [...pageParameters(page), dispatchIds],
    );
    return withAttempts(db, rows, page);
  },
  async resend(id, at) {
    const { rows } = await db.query(
      `with asked as (
         update messages set resend_at = $2 where id = $1 and resend_at is null returning recipient, subject
       ), followed as (${progressIn(ofWebhooks("asked"), { at: "$2" })})
       select from asked`,
      [id, at],
    );
    appended(db, "progress");
    await db.query(`notify ${NOTICE_CHANNEL}`);
    return rows.length === 1;
  },
  async resendsOf(accountId, since, { after, limit }) {
    // The audit log has an entry for each, since a delivery knows only of the one that is pending.
    const { rows } = await db.query<ResendRow>(
      `select at, messages.id as delivery_id, recipient, messages.subject, messages.event,
         modification_number
       from audit_log join messages on messages.id = audit_log.subject join notices on notices.seq = notice_seq
       where audit_log.account_id = $1 and at >= $2 and action = 'delivery.resend'
         and ($3::timestamptz is null or (at, messages.id) < ($3, $4))
       order by at desc, messages.id desc limit $5`,
      [accountId, since, after?.at ?? null, after?.deliveryId ?? null, limit + 1],
    );
    const items = rows.slice(0, limit).map(resendOf);
    return { items, next: rows.length > limit ? (items.at(-1) ?? null) : null };
  },
  async dropOfAccount(accountId, at) {
    const { rows } = await db.query<Row<"webhooks", "id">>(
      "select id from webhooks where account_id = $1 and deleted_at is null",
      [accountId],
    );
    const ids = rows.map(({ id }) => id);
    await dropMessages(db, { of: "recipient", ids, at, reason: "account_disabled" });
  },
});

const resendOf = ({ delivery_id, recipient, subject, event, modification_number, at }: ResendRow): Resend => ({
  deliveryId: delivery_id,
  webhookId: recipient,
  dispatchId: subject,
  event,
  modificationNumber: modification_number,
  at,
});

/** Rows of messages to webhooks, with their accounts. */
export const ofWebhooks = (messages: string, schema = ""): string =>
  `select subject as dispatch_id, webhooks.account_id from ${messages} join ${schema}webhooks on webhooks.id = recipient`;

const IS_DROPPED = "state = 'pending' and modification is null";

interface Dropped {
  readonly of: "recipient" | "subject" | "id";
  readonly ids: readonly string[];
  readonly at: Date;
  /** The reason in the evidence; null in the sandbox, where a scenario ended. */
  readonly reason: "webhook_deleted" | "address_deleted" | "account_disabled" | "outdated" | null;
  /** Default: that of the connection. */
  readonly schema?: "" | "sandbox.";
}

/** Drops these pending messages and resends, or those to a webhook or an address, or of a dispatch to webhooks; returns how many. */
export const dropMessages = async (db: Queryable, { of, ids, at, reason, schema = "" }: Dropped): Promise<number> => {
  const { rows } = await db.query<{ count: number }>(
    // Locked in order of id, as in recording attempts, to avoid a deadlock.
    `with locked as materialized (
       select id from ${schema}messages
       where ${of} = any($1) ${of === "subject" ? `and ${IS_TO_WEBHOOK}` : ""} and (state = 'pending' or resend_at is not null) order by id for update
     ), dropped as (
     update ${schema}messages
     set state = case state when 'pending' then ${stateAfter("'dropped'")} else state end, next_attempt_at = null, resend_at = null,
       ended_at = case when ${IS_DROPPED} then $2::timestamptz else ended_at end,
       reason = case when ${IS_DROPPED} then $3 else reason end
     where id in (select id from locked) returning recipient, subject, account_id, event
     ), followed as (
       ${progressIn(
         `select subject as dispatch_id, coalesce(dropped.account_id, webhooks.account_id) as account_id
          from dropped left join ${schema}webhooks on webhooks.id = recipient
          where event like 'dispatch.%' and coalesce(dropped.account_id, webhooks.account_id) is not null`,
         { at: "$2", schema },
       )}
     )
     select count(*)::int as count from dropped`,
    [ids, at, reason],
  );
  const [{ count } = { count: 0 }] = rows;
  if (count > 0) appended(db, "progress");
  return count;
};

const withAttempts = async (
  db: Queryable,
  rows: readonly DeliveryRow[],
  page: PageRequest,
): Promise<Page<Delivery>> => {
  const sent = await sentOf(db, rows);
  return pageOf(rows, page, (row) => fromRow(row, sent));
};

const sentOf = async (db: Queryable, deliveries: readonly DeliveryRow[]): Promise<Sent> => ({
  attempts: await attemptsOf(db, deliveries),
  resources: await resourcesOf(db, deliveries),
});

type ResourceRow = Row<"messages", "id" | "subject"> &
  Row<"webhooks", "interface_version"> & { readonly number: number | null };

const resourcesOf = async (db: Queryable, deliveries: readonly DeliveryRow[]): Promise<ReadonlyMap<string, string>> => {
  const { rows } = await db.query<ResourceRow>(
    `select messages.id, subject, interface_version,
       (select number from dispatch_numbers where dispatch_numbers.id = subject) as number
     from messages join webhooks on webhooks.id = recipient where messages.id = any($1)`,
    [deliveries.map(({ id }) => id)],
  );
  const resources = rows.map(({ id, subject, interface_version, number }) => {
    const dispatch = hasNumbers(interface_version) ? (number ?? subject) : subject;
    return [id, resourceOf(interface_version, dispatch)] as const;
  });
  return new Map(resources);
};

/** Reads those of all deliveries at once, oldest first within each. */
const attemptsOf = async (db: Queryable, deliveries: readonly DeliveryRow[]): Promise<Sent["attempts"]> => {
  const { rows } = await db.query<AttemptRow>(
    "select * from message_attempts where message_id = any($1) order by message_id, number",
    [deliveries.map(({ id }) => id)],
  );
  const attempts = new Map<string, WebhookAttempt[]>();
  for (const row of rows) {
    const before = attempts.get(row.message_id) ?? [];
    attempts.set(row.message_id, [...before, attemptRow.camel(row)]);
  }
  return attempts;
};
