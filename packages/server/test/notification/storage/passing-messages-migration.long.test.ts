import { expect, test } from "vitest";
import { mailbox } from "../../../src/dispatch/storage/mailbox.js";
import { notificationChannel } from "../../../src/openadr-3/storage/notification-queue.js";
import { subscriptionStates } from "../../../src/openadr-3/storage/subscription-states.js";
import { before, byId, evidenceOf, ITEM, lease, NOW } from "../../support/moving-messages.js";
import { testSecretBox } from "../../support/secret-box.js";

/**
 * In every state; the third change follows no dispatch. Of `oas_3` the later one waits for the earlier, `oas_5` was in the
 * hands of a process that stopped, and `oas_6` is gone.
 */
const CALLBACKS = `
  insert into openadr3_clients (id, role, account_id, environment, name, scopes, secret_hash, tokens_from, created_at)
    values ('oac_1', 'ven', 'acc_1', 'production', 'Gateway', '{}', '\\x00', '2026-01-01Z', '2026-01-01Z');
  insert into openadr3_objects (id, environment, object_type, client_id, targets, body, created_at, modified_at)
    select 'oas_' || n, 'production', 'SUBSCRIPTION', 'oac_1', '{}',
      jsonb_build_object('clientName', 'gateway', 'objectOperations', jsonb_build_array(jsonb_build_object(
        'objects', '{}'::text[], 'operations', '{}'::text[], 'callbackUrl', 'https://now.example/' || n))), '2026-01-01Z', '2026-01-01Z'
    from generate_series(1, 5) as n;
  insert into openadr3_changes (environment, operation, object_type, object_id, object, targets, at)
    values ('production', 'CREATE', 'EVENT', 'oae_1', '{"id": "oae_1"}', '{}', '2026-01-01Z'),
      ('production', 'UPDATE', 'EVENT', 'oae_1', '{"id": "oae_1"}', '{}', '2026-01-01Z'),
      ('production', 'CREATE', 'PROGRAM', 'oap_1', '{"id": "oap_1"}', '{}', '2026-01-01Z');
  insert into openadr3_notices (dispatch_id, client_id, modification_number, account_id, operation, event_id, site_ids, modified_at, change_seq, at,
      client_name)
    select 'dis_1', 'oac_1', seq - 1, 'acc_1', operation, object_id, '{site_1}', at, seq, at, 'Gateway' from openadr3_changes where seq < 3;
  insert into openadr3_deliveries (id, change_seq, subscription_id, entry, client_id, object_id, url, targets, state, failures, next_attempt_at,
      leased_until, created_at, dropped_at, drop_reason)
    select 'odl_' || id, change, 'oas_' || subscription, 0, 'oac_1', object_id, 'https://then.example/' || subscription, given.targets, state, failures,
      case state when 'pending' then timestamptz '2026-01-01Z' end, leased_until, '2026-01-01Z',
      case state when 'dropped' then timestamptz '2026-01-01T00:01Z' end, reason
    from (values
      (1, 1, 1, 'delivered', 1, null::timestamptz, null, '{a}'::text[]), (2, 1, 2, 'failed', 5, null, null, null), (3, 1, 3, 'pending', 1, null, null, '{}'),
      (4, 2, 3, 'pending', 0, null, null, null), (5, 1, 4, 'dropped', 1, null, 'account_disabled', null),
      (6, 2, 5, 'pending', 0, '2026-01-01T00:20Z', null, null), (7, 3, 1, 'delivered', 0, null, null, null), (8, 3, 2, 'pending', 1, null, null, null),
      (9, 2, 6, 'pending', 0, null, null, null))
      as given (id, change, subscription, state, failures, leased_until, reason, targets)
    join openadr3_changes as changes on changes.seq = change order by id;
  insert into openadr3_attempts (delivery_id, number, at, status, duration_ms, address, error, gave_up)
    select id, number, timestamptz '2026-01-01T00:00:01Z' + number * interval '1 minute', 500, 40, '192.0.2.1', 'status_500', number = 5
    from openadr3_deliveries cross join generate_series(1, failures) as number
    union all
    select id, failures + 1, '2026-01-01T00:08Z', 200, 40, '192.0.2.1', null, false from openadr3_deliveries where state = 'delivered'`;

/** Evidence as the version before read it. */
const EVIDENCE_OF_CALLBACKS = `
  with mentioned as (
    select notices.*, jsonb_build_object('clientId', client_id, 'clientName', client_name, 'eventId', event_id,
        'operation', operation, 'modificationNumber', modification_number) as detail
    from openadr3_notices as notices
  ), called_back as (
    select deliveries.id, state, dropped_at, drop_reason, mentioned.detail || jsonb_build_object('deliveryId', deliveries.id, 'url', url) as detail
    from mentioned join openadr3_deliveries as deliveries using (change_seq, client_id)
  ), callback as (
    select called_back.*, number, at, at + duration_ms * interval '1 millisecond' as ended_at, status, duration_ms, address, error, gave_up
    from called_back join openadr3_attempts on delivery_id = id
  ), item (at, key, channel, what, detail) as (
    select at, '6.' || lpad(modification_number::text, 10, '0') || '.' || client_id, 'openadr3', 'notified',
      detail || jsonb_build_object('siteIds', site_ids) from mentioned
    union all
    select at, '7.' || id || '.' || lpad(number::text, 10, '0'), 'openadr3', 'attempt',
      detail || jsonb_build_object('number', number, 'status', status, 'durationMs', duration_ms, 'address', address, 'error', error) from callback
    union all
    select ended_at, '8.' || id, 'openadr3', case when error is null then 'delivered' else 'failed' end,
      case when error is null then detail else detail || jsonb_build_object('reason', 'attempts_failed') end
    from callback where error is null or gave_up
    union all
    select dropped_at, '8.' || id || '.dropped', 'openadr3', 'failed', detail || jsonb_build_object('reason', drop_reason)
    from called_back where state = 'dropped'
  ) ${ITEM}`;

test("evidence of callbacks is as it was in their own table, and what was open is claimed once", async () => {
  const store = await before("_passing_messages.sql", CALLBACKS);
  const { rows } = await store.pool.query(EVIDENCE_OF_CALLBACKS);
  expect(rows).toHaveLength(2 + (2 + 1) + (5 + 1) + 1 + (1 + 1));
  await store.migrate();
  expect(await evidenceOf(store.pool, ["openadr3"])).toEqual(rows);
  const queue = mailbox(store.pool, notificationChannel(testSecretBox));
  const { claimed } = await queue.claim(lease(NOW));
  expect(byId(claimed).map(({ id, failures, url }) => [id, failures, url])).toEqual([
    ["odl_3", 1, "https://now.example/3"],
    ["odl_6", 0, "https://now.example/5"],
    ["odl_8", 1, "https://now.example/2"],
  ]);
  expect(byId(claimed).map(({ targets }) => targets)).toEqual([[], null, null]);
  expect((await queue.claim(lease(NOW))).claimed).toEqual([]);
  const { rows: dropped } = await store.pool.query(
    "select id, ended_at, reason from passing_messages where state = 'dropped' order by id",
  );
  expect(dropped).toEqual([
    { id: "odl_5", ended_at: new Date("2026-01-01T00:01:00Z"), reason: "account_disabled" },
    { id: "odl_9", ended_at: NOW, reason: "subscription_deleted" },
  ]);
});

const failedAt = (time: string) => ({ at: new Date(time), status: 500, error: "status_500" });

test("attempts at what follows no dispatch are left out, but for the last that a subscription shows", async () => {
  const store = await before("_passing_messages.sql", CALLBACKS);
  await store.migrate();
  const { rows } = await store.pool.query("select distinct message_id as id from message_attempts order by 1");
  expect(rows.map(({ id }) => id)).toEqual(["odl_1", "odl_2", "odl_3", "odl_5"]);
  const states = await subscriptionStates(store.pool).ofClients(["oac_1"]);
  expect(states.map(({ id, pendingCount, lastAttempt }) => [id, pendingCount, lastAttempt])).toEqual([
    ["oas_1", 0, { at: new Date("2026-01-01T00:08:00Z"), status: 200, error: null }],
    ["oas_2", 1, failedAt("2026-01-01T00:05:01Z")],
    ["oas_3", 2, failedAt("2026-01-01T00:01:01Z")],
    ["oas_4", 0, failedAt("2026-01-01T00:01:01Z")],
    ["oas_5", 1, null],
  ]);
});
