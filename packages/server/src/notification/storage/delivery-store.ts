import { NOTICE_CHANNEL } from "../../dispatch/storage/notice-store.js";
import { type Row, type RowOf, selection } from "../../platform/database/columns.js";
import type { Queryable } from "../../platform/database/database.js";
import { type Placed, pageOf, pageParameters } from "../../platform/database/page.js";
import type { Page, PageRequest } from "../../platform/page.js";
import type { Delivery, WebhookAttempt } from "../domain/delivery.js";
import type { DeliveryStore } from "../operations/delivery-ports.js";

const deliveryRow = selection("deliveries", [
  "id",
  "webhook_id",
  "dispatch_id",
  "event",
  "state",
  "next_attempt_at",
  "resend_at",
  "created_at",
]);
type DeliveryRow = Placed<RowOf<typeof deliveryRow>>;

const attemptRow = selection("delivery_attempts", [
  "at",
  "status",
  "duration_ms",
  "address",
  "error",
  "response_type",
  "response_body",
]);
type AttemptRow = RowOf<typeof attemptRow> & Row<"delivery_attempts", "delivery_id">;

type Attempts = ReadonlyMap<string, readonly WebhookAttempt[]>;

const fromRow = (row: DeliveryRow, attempts: Attempts): Delivery => ({
  ...deliveryRow.camel(row),
  attempts: attempts.get(row.id) ?? [],
});

/** A delivery belongs to its webhook's account, even if the webhook is deleted. */
const isWithin = (account: string): string =>
  `(${account}::text is null or webhook_id in (select id from webhooks where account_id = ${account}))`;

export const deliveryStore = (db: Queryable): DeliveryStore => ({
  async find(id, within) {
    const { rows } = await db.query<DeliveryRow>(`select * from deliveries where id = $1 and ${isWithin("$2")}`, [
      id,
      within,
    ]);
    return rows[0] === undefined ? null : fromRow(rows[0], await attemptsOf(db, rows));
  },
  async ofWebhook(webhookId, page) {
    const { rows } = await db.query<DeliveryRow>(
      `select * from deliveries where webhook_id = $3 and ($1::bigint is null or seq < $1)
       order by seq desc limit $2`,
      [...pageParameters(page), webhookId],
    );
    return withAttempts(db, rows, page);
  },
  async ofDispatch(dispatchId, within, page) {
    const { rows } = await db.query<DeliveryRow>(
      `select * from deliveries where dispatch_id = $3 and ($1::bigint is null or seq < $1) and ${isWithin("$4")}
       order by seq desc limit $2`,
      [...pageParameters(page), dispatchId, within],
    );
    return withAttempts(db, rows, page);
  },
  async ofDispatches(dispatchIds, page) {
    const { rows } = await db.query<DeliveryRow>(
      `select * from deliveries where dispatch_id = any($3) and ($1::bigint is null or seq < $1)
       order by seq desc limit $2`,
      [...pageParameters(page), dispatchIds],
    );
    return withAttempts(db, rows, page);
  },
  async resend(id, at) {
    const { rowCount } = await db.query("update deliveries set resend_at = $2 where id = $1 and resend_at is null", [
      id,
      at,
    ]);
    await db.query(`notify ${NOTICE_CHANNEL}`);
    return rowCount === 1;
  },
  async dropOfAccount(accountId, at) {
    const { rows } = await db.query<Row<"webhooks", "id">>(
      "select id from webhooks where account_id = $1 and deleted_at is null",
      [accountId],
    );
    const ids = rows.map(({ id }) => id);
    await dropDeliveries(db, { of: "webhook_id", ids, at, reason: "account_disabled" });
  },
});

interface Dropped {
  readonly of: "webhook_id" | "dispatch_id";
  readonly ids: readonly string[];
  readonly at: Date;
  /** The reason in the evidence; null in the sandbox, where a scenario ended. */
  readonly reason: "webhook_deleted" | "account_disabled" | null;
}

/** Drops pending deliveries and resends of these webhooks or dispatches. */
export const dropDeliveries = async (db: Queryable, { of, ids, at, reason }: Dropped): Promise<void> => {
  await db.query(
    // Locked in order of id, as in recording attempts, to avoid a deadlock.
    `with locked as materialized (
       select id from deliveries
       where ${of} = any($1) and (state = 'pending' or resend_at is not null) order by id for update
     )
     update deliveries
     set state = case state when 'pending' then 'dropped' else state end, next_attempt_at = null, resend_at = null,
       dropped_at = case state when 'pending' then $2::timestamptz end, drop_reason = case state when 'pending' then $3 end
     where id in (select id from locked)`,
    [ids, at, reason],
  );
};

const withAttempts = async (
  db: Queryable,
  rows: readonly DeliveryRow[],
  page: PageRequest,
): Promise<Page<Delivery>> => {
  const attempts = await attemptsOf(db, rows);
  return pageOf(rows, page, (row) => fromRow(row, attempts));
};

/** Reads those of all deliveries at once, oldest first within each. */
const attemptsOf = async (db: Queryable, deliveries: readonly DeliveryRow[]): Promise<Attempts> => {
  const { rows } = await db.query<AttemptRow>(
    "select * from delivery_attempts where delivery_id = any($1) order by delivery_id, number",
    [deliveries.map(({ id }) => id)],
  );
  const attempts = new Map<string, WebhookAttempt[]>();
  for (const row of rows) {
    const before = attempts.get(row.delivery_id) ?? [];
    attempts.set(row.delivery_id, [...before, attemptRow.camel(row)]);
  }
  return attempts;
};
