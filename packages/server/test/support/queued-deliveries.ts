import type pg from "pg";
import type { ClaimedDelivery, DeliveryOutcome, WebhookAttempt } from "../../src/notification/domain/delivery.js";
import type {
  BehindClaim,
  DeliveryClaim,
  DeliveryQueue,
  DeliveryWork,
  DueClaim,
  Expanded,
} from "../../src/notification/operations/deliver-notices.js";
import { deliveryQueue, dueDeliveries, productionQueue } from "../../src/notification/storage/delivery-queue.js";
import { openQueuePool } from "../../src/platform/database/database.js";
import { dueTimes } from "../../src/platform/database/due-work.js";
import type { Sent } from "../../src/platform/lease.js";
import { cloneDatabase, type TestDatabase } from "./database.js";
import { testSecretBox } from "./secret-box.js";

/** Of the test that runs. */
export let database: TestDatabase;
export let queuePool: pg.Pool;
export let queue: DeliveryQueue;

/** A database with a site of an account, before each test. */
export const prepareQueue = async (): Promise<void> => {
  database = await cloneDatabase();
  queuePool = openQueuePool(database.pool, () => {});
  queue = deliveryQueue(queuePool, testSecretBox, productionQueue);
  await database.pool.query(`
    insert into accounts (id, name, disabled, created_at) values ('acc_1', 'One', false, now());
    insert into sites (id, account_id, name, customer_location_id, dispatch_group, timezone, created_at)
      values ('site_1', 'acc_1', '', '', '', 'UTC', now())`);
};

export const endQueue = async (): Promise<void> => {
  await queuePool.end();
  await database.drop();
};

export const addWebhooks = (count: number): Promise<unknown> =>
  database.pool.query(
    `insert into webhooks (id, account_id, url, events, secret, created_at)
     select 'wh_' || number, 'acc_1', 'http://127.0.0.1/', '{dispatch.create,dispatch.update}', 'whsec_', now()
     from generate_series(1, $1::int) as number`,
    [count],
  );

export const addDispatch = async (id: string): Promise<void> => {
  await database.pool.query(
    `insert into dispatches (id, program_id, program_name, program_timezone, program_market, program_type, test, authorized,
        start_time, notification_time, modification_number, created_at, changed_at)
     values ($1, 'prg_test_dispatch', '', 'UTC', '', 'not_specified', true, true, now(), now(), 0, now(), now())`,
    [id],
  );
  await database.pool.query(
    `insert into dispatch_sites (dispatch_id, position, site_id, account_id, name, customer_location_id, dispatch_group)
     values ($1, 0, 'site_1', 'acc_1', '', '', '')`,
    [id],
  );
};

export const addNotice = (dispatchId: string, event = "dispatch.create"): Promise<unknown> =>
  database.pool.query("insert into notices (dispatch_id, event, due_at) values ($1, $2, now() - interval '1 s')", [
    dispatchId,
    event,
  ]);

export const claim = (limit: number, perWebhook = 4): DueClaim & BehindClaim => {
  const now = new Date();
  const leasedUntil = new Date(now.getTime() + 30_000);
  return {
    now,
    leasedUntil,
    lapsedBefore: now,
    limit,
    perWebhook,
    inFlightUntil: now,
    hung: [],
    reliable: [],
    after: null,
  };
};

/** What the timetable says. */
export const isDue = async (kind: DeliveryWork, now: Date): Promise<boolean> => {
  const works = dueDeliveries("");
  const times = await dueTimes(database.servicePool)(Object.values(works), now);
  const at = times[Object.keys(works).indexOf(kind)];
  return at instanceof Date && at <= now;
};

/** Expands until no notice is left. */
export const expandAll = async (given: DeliveryClaim): Promise<Pick<Expanded, "claimed" | "left">> => {
  const claimed: ClaimedDelivery[] = [];
  for (let left = 0; ; ) {
    const look = await queue.expandDue(given);
    claimed.push(...look.claimed);
    left += look.left;
    if (look.hasMore) continue;
    if (!(await queue.expandBehind(given)).hasMore && !(await isDue("notices", given.now))) return { claimed, left };
  }
};

/** What becomes of a delivery. */
export type Recorded =
  | { readonly state: "delivered" }
  | { readonly state: "failed" }
  | { readonly state: "unchanged" }
  | { readonly state: "pending"; readonly nextAttemptAt: Date };

/** What came of one, to be recorded. */
export const recorded = (
  item: ClaimedDelivery,
  kind: Recorded = { state: "delivered" },
  given: Partial<WebhookAttempt> = {},
): Sent<ClaimedDelivery, DeliveryOutcome> => {
  const answered = { status: 200, durationMs: 1, address: null, error: null, responseType: null, responseBody: null };
  const attempt = { at: new Date(), ...answered, ...given, isResend: item.isResend };
  const made = { at: attempt.at, error: "timeout", attempt };
  if (kind.state === "delivered") return { item, outcome: { ...kind, modification: null, kept: {}, ...made } };
  if (kind.state === "failed") return { item, outcome: { ...kind, reason: "attempts_failed", ...made } };
  return { item, outcome: { ...kind, ...made } };
};
