import { expect, test } from "vitest";
import { mailbox } from "../../../src/dispatch/storage/mailbox.js";
import { deliveryQueue, productionQueue } from "../../../src/notification/storage/delivery-queue.js";
import { mailChannel } from "../../../src/notification/storage/mail-queue.js";
import { owedStore } from "../../../src/notification/storage/owed-store.js";
import { personalChannel } from "../../../src/notification/storage/personal-notice-queue.js";
import { phoneChannel } from "../../../src/notification/storage/phone-messages.js";
import { before, byId, evidenceOf, ITEM, lease, NOW, STATED } from "../../support/moving-messages.js";
import { testSecretBox } from "../../support/secret-box.js";

/** In every state. Of \`wh_3\` the later one waits for the earlier. */
const DELIVERIES = `
  insert into deliveries (id, webhook_id, notice_seq, dispatch_id, event, state, failures, next_attempt_at, leased_until, resend_at, created_at,
      dropped_at, drop_reason)
    select 'dlv_' || id, webhook, notice, 'dis_1', 'dispatch.create', state, failures, case state when 'pending' then timestamptz '2026-01-01Z' end,
      leased_until, resend_at, '2026-01-01Z', dropped_at, reason
    from (values
      (1, 'wh_1', 1, 'delivered', 0, null::timestamptz, null::timestamptz, null::timestamptz, null), (2, 'wh_2', 1, 'failed', 5, null, null, null, null),
      (3, 'wh_3', 1, 'pending', 1, null, null, null, null), (4, 'wh_3', 2, 'pending', 0, null, null, null, null),
      (5, 'wh_4', 1, 'pending', 0, '2026-01-01T00:00:13Z', null, null, null), (6, 'wh_5', 1, 'failed', 5, null, '2026-01-01T00:09Z', null, null),
      (7, 'wh_6', 1, 'dropped', 0, null, null, '2026-01-01T00:01Z', 'webhook_deleted'))
      as given (id, webhook, notice, state, failures, leased_until, resend_at, dropped_at, reason);
  insert into delivery_attempts (delivery_id, number, at, status, duration_ms, error, is_resend, gave_up)
    select id, 1, '2026-01-01T00:00:01Z', 200, 40, null, false, null from deliveries where state = 'delivered'
    union all
    select id, number, timestamptz '2026-01-01T00:00:01Z' + number * interval '1 minute', 500, 40, 'status_500', false, number = 5
    from deliveries cross join generate_series(1, failures) as number where failures > 0`;

/** Evidence as the version before the mailbox read it. */
const EVIDENCE_OF_DELIVERIES = `
  with ${STATED}, sent as (
    select deliveries.id, deliveries.created_at, failures, dropped_at, drop_reason,
      jsonb_build_object('webhookId', webhook_id, 'url', url, 'deliveryId', deliveries.id, 'event', deliveries.event,
        'modificationNumber', told_modification) as detail
    from deliveries join webhooks on webhooks.id = webhook_id join stated on stated.seq = notice_seq
  ), attempted as (
    select detail, number, at, at + duration_ms * interval '1 millisecond' as ended_at, status, duration_ms, address, error, is_resend, gave_up, id
    from sent join delivery_attempts on delivery_id = id
  ), item (at, key, channel, what, detail) as (
    select created_at, '1.' || id, 'webhook', 'notified', detail from sent
    union all
    select at, '2.' || id || '.' || lpad(number::text, 10, '0'), 'webhook', 'attempt',
      detail || jsonb_build_object('number', number, 'status', status, 'durationMs', duration_ms, 'address', address, 'error', error) from attempted
    union all
    select ended_at, '3.' || id || '.delivered', 'webhook', 'delivered', detail from attempted where error is null
    union all
    select ended_at, '3.' || id || '.failed', 'webhook', 'failed', detail || jsonb_build_object('reason', 'attempts_failed') from attempted where gave_up
    union all
    select dropped_at, '3.' || id || '.deleted', 'webhook', 'failed', detail || jsonb_build_object('reason', drop_reason)
    from sent where drop_reason is not null
  ) ${ITEM}`;

test("evidence of deliveries is as it was before they were messages, and what was open is claimed once", async () => {
  const store = await before("_messages.sql", DELIVERIES);
  const { rows } = await store.pool.query(EVIDENCE_OF_DELIVERIES);
  expect(rows).toHaveLength(7 + 1 + 5 + 1 + 5 + 1 + 2 + 1);
  await store.migrate();
  expect(await evidenceOf(store.pool, ["webhook"])).toEqual(rows);
  const queue = deliveryQueue(store.pool, testSecretBox, productionQueue);
  const look = { ...lease(NOW), inFlightUntil: NOW, perWebhook: 4, hung: [], reliable: [] };
  const claimed = await queue.claim(look);
  expect(byId(claimed).map(({ id, isResend }) => [id, isResend])).toEqual([
    ["dlv_3", false],
    ["dlv_5", false],
    ["dlv_6", true],
  ]);
  expect(await queue.claim(look)).toEqual([]);
});

/** In every state. What a process that stopped had in its hands is due again; of `+6` the later one says more. */
const PHONE_MESSAGES = `
  insert into phone_messages (id, account_id, notice_seq, dispatch_id, event, channel, contact_id, name, phone, state, failures, next_attempt_at,
      leased_until, created_at, sent_at, given_up_at, last_error, gateway_id, carried_modification, text, dropped_at, drop_reason)
    select 'msg_' || id, 'acc_1', notice, 'dis_1', 'dispatch.create', channel, 'con_' || phone, 'Ana', '+' || phone, state, failures,
      case state when 'waiting' then timestamptz '2026-01-01Z' end, leased_until, '2026-01-01Z',
      case state when 'sent' then timestamptz '2026-01-01T00:00:05Z' end,
      case when state in ('refused', 'expired') then timestamptz '2026-01-01T00:00:06Z' end, error, gateway,
      case state when 'sent' then notice - 1 end, case state when 'sent' then 'Curtail: reduce' end,
      case when reason is not null then timestamptz '2026-01-01T00:00:07Z' end, reason
    from (values
      (1, 1, 'sms', 1, 'sent', 0, null::timestamptz, null, 'gw-1', null), (2, 1, 'voice', 1, 'sent', 1, null, 'status_500', null, null),
      (3, 1, 'sms', 2, 'refused', 1, null, 'status_400', null, null), (4, 1, 'sms', 3, 'expired', 9, null, 'timeout', null, null),
      (5, 1, 'sms', 4, 'dropped', 0, null, null, null, null), (6, 1, 'sms', 5, 'dropped', 2, null, 'timeout', null, 'outdated'),
      (7, 1, 'sms', 6, 'waiting', 2, null, 'timeout', null, null), (8, 2, 'sms', 6, 'waiting', 0, null, null, null, null),
      (9, 2, 'voice', 6, 'waiting', 0, timestamptz '2026-01-01T00:20Z', null, null, null))
      as given (id, notice, channel, phone, state, failures, leased_until, error, gateway, reason)`;

const EVIDENCE_OF_PHONE_MESSAGES = `
  with ${STATED}, phoned as (
    select phone_messages.*, jsonb_build_object('messageId', id, 'event', event, 'name', name, 'phone', phone,
        'modificationNumber', told_modification) as detail
    from phone_messages join stated on stated.seq = notice_seq
  ), item (at, key, channel, what, detail) as (
    select created_at, '4.' || id || '.due', channel, 'notified', detail from phoned
    union all
    select sent_at, '4.' || id || '.sent', channel, 'handed_over', detail || jsonb_build_object('gatewayId', gateway_id,
      'modificationNumber', carried_modification, 'text', text) from phoned where state = 'sent'
    union all
    select given_up_at, '4.' || id || '.failed', channel, 'failed', detail || jsonb_build_object('reason', 'gateway_' || state, 'error', last_error)
    from phoned where given_up_at is not null
    union all
    select dropped_at, '4.' || id || '.dropped', channel, 'failed', detail || jsonb_build_object('reason', drop_reason, 'error', last_error)
    from phoned where drop_reason is not null
  ) ${ITEM}`;

test("evidence of messages to phones is as it was in their own table, and what was open is claimed once", async () => {
  const store = await before("_phone_messages_in_mailbox.sql", PHONE_MESSAGES);
  const { rows } = await store.pool.query(EVIDENCE_OF_PHONE_MESSAGES);
  expect(rows).toHaveLength(9 + 2 + 2 + 1);
  await store.migrate();
  expect(await evidenceOf(store.pool, ["sms", "voice"])).toEqual(rows);
  const queue = mailbox(store.pool, phoneChannel);
  const { claimed } = await queue.claim(lease(NOW));
  expect(byId(claimed).map(({ id, failures }) => [id, failures])).toEqual([
    ["msg_8", 0],
    ["msg_9", 0],
  ]);
  expect((await queue.claim(lease(NOW))).claimed).toEqual([]);
  const { rows: dropped } = await store.pool.query(
    "select id from messages where state = 'dropped' and reason is null order by id",
  );
  expect(dropped).toEqual([{ id: "msg_5" }, { id: "msg_7" }]);
});

/** In every state, of a dispatch and of alarms. Of \`usr_2\` the later one says more. */
const PERSONAL_NOTICES = `
  insert into users (id, email, name, role, account_id, created_at, accepted_at)
    select 'usr_' || n, n || '@example.com', 'Person', 'participant-viewer', 'acc_1', '2026-01-01Z', '2026-01-01Z' from generate_series(1, 4) as n;
  insert into notice_preferences (user_id, dispatch_mail, dispatch_push, change_mail, change_push, alarm_mail, alarm_push, time_zone, changed_at)
    select id, true, true, true, true, true, true, 'UTC', '2026-01-01Z' from users where id in ('usr_1', 'usr_2', 'usr_3', 'usr_4');
  insert into alarms (id, kind, subject, message, raised_at, cleared_at)
    values ('alm_1', 'webhook_failing', '1', '', '2026-01-01Z', null), ('alm_2', 'webhook_failing', '2', '', '2026-01-01Z', '2026-01-01Z');
  insert into personal_notices (id, user_id, account_id, name, channel, subscription_id, browser, host, dispatch_id, event, alarm_id, alarm_over,
      state, created_at, next_attempt_at, leased_until, failures, last_error, sent_at, given_up_at, text, carried_modification, dropped_at, drop_reason)
    select 'pnt_' || id, 'usr_' || person, 'acc_1', 'Person', case when browser is null then 'mail' else 'push' end, 'psh_' || browser, browser,
      case when browser is not null then 'push.example' end, case when alarm is null then 'dis_1' end,
      case when alarm is null then 'dispatch.create' end, alarm, is_over, state, '2026-01-01Z',
      case state when 'waiting' then timestamptz '2026-01-01Z' end, leased_until, failures, error,
      case state when 'sent' then timestamptz '2026-01-01T00:00:05Z' end, case state when 'failed' then timestamptz '2026-01-01T00:00:06Z' end,
      case state when 'sent' then 'Reduce' end, case when state = 'sent' and alarm is null then 0 end,
      case when reason is not null then timestamptz '2026-01-01T00:00:07Z' end, reason
    from (values
      (1, 1, null, null, false, 'sent', null::timestamptz, 0, null, null), (2, 1, 'Firefox', null, false, 'sent', null, 1, 'status_500', null),
      (3, 2, 'Firefox', null, false, 'failed', null, 1, 'status_410', null), (4, 2, null, null, false, 'failed', null, 1, '550 no', null),
      (5, 3, 'Firefox', null, false, 'dropped', null, 0, null, null), (6, 3, null, null, false, 'dropped', null, 2, 'timeout', 'outdated'),
      (7, 4, null, null, false, 'waiting', null, 2, 'timeout', null), (8, 4, null, null, false, 'waiting', '2026-01-01T00:20Z', 0, null, null),
      (9, 4, null, 'alm_1', false, 'waiting', null, 0, null, null), (10, 3, null, 'alm_2', false, 'sent', null, 0, null, null),
      (11, 3, null, 'alm_2', true, 'waiting', null, 0, null, null))
      as given (id, person, browser, alarm, is_over, state, leased_until, failures, error, reason)`;

const EVIDENCE_OF_PERSONAL_NOTICES = `
  with personal as (
    select notices.*, jsonb_build_object('noticeId', notices.id, 'event', event, 'userId', user_id, 'userName', name, 'sentBy', channel,
        'browser', browser, 'modificationNumber', coalesce(carried_modification, 1)) as detail
    from personal_notices as notices where dispatch_id is not null
  ), item (at, key, channel, what, detail) as (
    select created_at, '1.' || id, 'personal', 'notified', detail from personal
    union all
    select sent_at, '4.' || id, 'personal', 'delivered', detail || jsonb_build_object('text', text) from personal where sent_at is not null
    union all
    select given_up_at, '4.' || id, 'personal', 'failed', detail || jsonb_build_object('reason',
      case when last_error in ('status_404', 'status_410') then 'browser_gone'
        when given_up_at < created_at + interval '1 day' then 'mail_refused' else 'expired' end, 'error', last_error)
    from personal where given_up_at is not null
    union all
    select dropped_at, '4.' || id || '.dropped', 'personal', 'failed', detail || jsonb_build_object('reason', drop_reason, 'error', last_error)
    from personal where drop_reason is not null
  ) ${ITEM}`;

test("evidence of notices to persons is as it was in their own table, and what was open is claimed once", async () => {
  const store = await before("_personal_notices_in_mailbox.sql", PERSONAL_NOTICES);
  const { rows } = await store.pool.query(EVIDENCE_OF_PERSONAL_NOTICES);
  expect(rows).toHaveLength(8 + 2 + 2 + 1);
  await store.migrate();
  expect(await evidenceOf(store.pool, ["personal"])).toEqual(rows);
  const queue = mailbox(store.pool, personalChannel("mail", testSecretBox));
  const { claimed } = await queue.claim(lease(NOW));
  expect(
    byId(claimed).map(({ id, subject }) => [id, subject.of, subject.of === "alarm" && subject.alarm.isOver]),
  ).toEqual([
    ["pnt_11", "alarm", true],
    ["pnt_8", "dispatch", false],
    ["pnt_9", "alarm", false],
  ]);
  expect((await queue.claim(lease(NOW))).claimed).toEqual([]);
  const { rows: dropped } = await store.pool.query(
    "select id from messages where state = 'dropped' and reason is null order by id",
  );
  expect(dropped).toEqual([{ id: "pnt_5" }, { id: "pnt_7" }]);
});

/** In every state, of twelve accounts. Of \`acc_9\` the later one says more; \`mail_3\` is left for a second contact, \`mail_12\` for nobody. */
const MAILS = `
  insert into accounts (id, name, disabled, created_at) select 'acc_' || n, '', false, now() from generate_series(2, 12) as n;
  insert into sites (id, account_id, name, customer_location_id, dispatch_group, timezone, created_at)
    select 'site_' || n, 'acc_' || n, '', '', '', 'UTC', now() from generate_series(2, 12) as n;
  insert into dispatch_sites (dispatch_id, position, site_id, account_id, name, customer_location_id, dispatch_group)
    select 'dis_1', n, 'site_' || n, 'acc_' || n, '', '', '' from generate_series(2, 12) as n;
  insert into contacts (id, account_id, name, email, created_at)
    select 'con_' || n, 'acc_' || n, 'Ana', n || '@example.com', now() from generate_series(1, 12) as n where n <> 7
    union all select 'con_0', 'acc_3', 'Bo', 'b@example.com', now();
  insert into mails (id, account_id, notice_seq, dispatch_id, event, state, failures, next_attempt_at, retry_at, leased_until, created_at, sent_at,
      given_up_at, last_error, refused_recipients, overdue_at, settled_at, carried_modification, recipients, dropped_at, drop_reason)
    select 'mail_' || id, 'acc_' || account, notice, 'dis_1', 'dispatch.create', state, failures,
      case state when 'waiting' then timestamptz '2026-01-01Z' end, case when is_left then timestamptz '2026-01-01Z' end, leased_until, '2026-01-01Z',
      case state when 'sent' then timestamptz '2026-01-01T00:00:05Z' end,
      case when state in ('kept', 'no_contacts', 'expired') then timestamptz '2026-01-01T00:00:06Z' end, error, 1,
      case when overdue then timestamptz '2026-01-01T00:00:04Z' end, case when state = 'no_contacts' then timestamptz '2026-01-01T00:05Z' end,
      case state when 'sent' then 0 end, case when id = 2 then '[{"name": "Ana", "email": "2@example.com", "accepted": true, "reply": null}]'::jsonb end,
      case when reason is not null then timestamptz '2026-01-01T00:00:07Z' end, reason
    from (values
      (1, 1, 1, 'sent', 0, null::timestamptz, null, true, false, null), (2, 2, 1, 'sent', 1, null, '450 later', false, false, null),
      (3, 3, 1, 'sent', 1, null, '450 later', true, true, null), (4, 4, 1, 'waiting', 2, null, 'timeout', true, false, null),
      (5, 5, 1, 'waiting', 0, '2026-01-01T00:20Z', null, false, false, null), (6, 6, 1, 'kept', 0, null, null, true, false, null),
      (7, 7, 1, 'no_contacts', 0, null, null, true, false, null), (8, 8, 1, 'expired', 9, null, '450 later', true, false, null),
      (9, 9, 1, 'waiting', 0, null, null, true, false, null), (10, 9, 2, 'waiting', 0, null, null, false, false, null),
      (11, 10, 1, 'dropped', 0, null, null, true, false, null), (12, 11, 1, 'waiting', 1, null, '550 no', true, false, null),
      (13, 12, 1, 'dropped', 1, null, 'timeout', false, false, 'outdated'))
      as given (id, account, notice, state, failures, leased_until, error, overdue, is_left, reason);
  insert into mail_handovers (mail_id, number, at, modification_number, subject, text)
    select 'mail_' || n, 1, '2026-01-01T00:00:05Z', 0, 'Reduce', 'Please reduce' from unnest(array[1, 3, 12]) as n;
  insert into mail_recipients (mail_id, number, email, name, answer, reply) values
    ('mail_1', 1, '1@example.com', 'Ana', 'accepted', null), ('mail_3', 1, '3@example.com', 'Ana', 'accepted', null),
    ('mail_3', 1, 'b@example.com', 'Bo', 'deferred', '450 later'), ('mail_12', 1, '11@example.com', 'Ana', 'refused', '550 no')`;

const EVIDENCE_OF_MAILS = `
  with ${STATED}, posted as (
    select mails.*, jsonb_build_object('mailId', id, 'event', event, 'modificationNumber', told_modification) as detail
    from mails join stated on stated.seq = notice_seq
  ), handed as (
    select posted.id, number, handovers.at, posted.detail || jsonb_build_object(
        'modificationNumber', handovers.modification_number, 'subject', subject, 'text', text) as detail,
      (select count(*) filter (where answer <> 'accepted') from mail_recipients as one
       where one.mail_id = posted.id and one.number = handovers.number) as refused,
      (select jsonb_agg(jsonb_strip_nulls(jsonb_build_object('name', name, 'email', email, 'accepted', answer = 'accepted',
         'reply', reply)) order by email)
       from mail_recipients as one where one.mail_id = posted.id and one.number = handovers.number) as recipients
    from posted join mail_handovers as handovers on mail_id = posted.id
  ), item (at, key, channel, what, detail) as (
    select overdue_at, '3.' || id, 'mail', 'notified', detail from posted where overdue_at is not null
    union all
    select at, '4.' || id || '.' || lpad(number::text, 10, '0'), 'mail',
      case when refused < jsonb_array_length(recipients) then 'mailed' else 'attempt' end,
      detail || jsonb_build_object('refusedRecipients', refused, 'recipients', recipients) from handed
    union all
    select sent_at, '4.' || id, 'mail', 'mailed', detail || jsonb_build_object('modificationNumber',
        coalesce(carried_modification, (detail ->> 'modificationNumber')::int), 'refusedRecipients', refused_recipients,
        'recipients', recipients, 'subject', null, 'text', null)
    from posted where state = 'sent' and not exists (select from mail_handovers where mail_id = posted.id)
    union all
    select given_up_at, '4.' || id, 'mail', 'failed', detail || jsonb_build_object('reason', state, 'error', last_error)
    from posted where given_up_at is not null
    union all
    select dropped_at, '4.' || id || '.dropped', 'mail', 'failed', detail || jsonb_build_object('reason', drop_reason, 'error', last_error)
    from posted where drop_reason is not null
  ) ${ITEM}`;

test("evidence of emails is as it was in their own table, what was open is claimed once, and who was not reached stays so", async () => {
  const store = await before("_mails_in_mailbox.sql", MAILS);
  const { rows } = await store.pool.query(EVIDENCE_OF_MAILS);
  expect(rows).toHaveLength(9 + 3 + 1 + 3 + 1);
  await store.migrate();
  expect(JSON.stringify(await evidenceOf(store.pool, ["mail"]))).toBe(JSON.stringify(rows));
  const owed = (await owedStore(store.pool).unsettled()).toSorted((a, b) => (a.id < b.id ? -1 : 1));
  expect(owed.map(({ id, isFailing, isOver }) => [id, isFailing, isOver])).toEqual([
    ["mail_12", false, false],
    ["mail_4", false, false],
    ["mail_6", true, false],
    ["mail_8", true, false],
    ["mail_9", false, false],
  ]);
  const queue = mailbox(store.pool, mailChannel({ hasServer: true }));
  const { claimed } = await queue.claim(lease(NOW));
  expect(byId(claimed).map(({ id, failures, isSent, recipients }) => [id, failures, isSent, recipients])).toEqual([
    ["mail_10", 0, false, [{ name: "Ana", email: "9@example.com", language: null }]],
    ["mail_12", 1, false, []],
    ["mail_3", 1, true, [{ name: "Bo", email: "b@example.com", language: null }]],
    ["mail_4", 2, false, [{ name: "Ana", email: "4@example.com", language: null }]],
    ["mail_5", 0, false, [{ name: "Ana", email: "5@example.com", language: null }]],
  ]);
  expect((await queue.claim(lease(NOW))).claimed).toEqual([]);
  const { rows: dropped } = await store.pool.query(
    "select id from messages where state = 'dropped' and reason is null order by id",
  );
  expect(dropped).toEqual([{ id: "mail_11" }, { id: "mail_9" }]);
});
