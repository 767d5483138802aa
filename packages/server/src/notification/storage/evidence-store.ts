import type { Row } from "../../platform/database/columns.js";
import type { Queryable } from "../../platform/database/database.js";
import { readUntil } from "../../platform/database/in-time.js";
import { readFirst } from "../../platform/database/read.js";
import { valuesOf } from "../../platform/database/values-of.js";
import type { Evidence, Occurrence } from "../domain/evidence.js";
import type { EvidenceStore } from "../operations/notification-stores.js";
import { IS_ADDRESSED } from "./addressed-messages.js";
import { waitsSince } from "./delivery-release.js";
import { IS_MAIL } from "./mail-queue.js";
import { IS_PERSONAL } from "./personal-notice-queue.js";
import { IS_TO_PHONE } from "./phone-messages.js";

type EvidenceRow = Occurrence & {
  readonly at: Date;
  readonly key: string;
  readonly account_id: string;
  readonly site_id: string | null;
};

const fromRow = ({ key: _key, account_id, site_id, ...row }: EvidenceRow): Evidence => ({
  ...row,
  accountId: account_id,
  siteId: site_id,
});

// Items come from append-only rows and from columns that never change (decision 29), so later changes do not alter
// them. Items of the same moment are in causal order; the rest of the key distinguishes them and never changes, so that
// cursors stay valid while items are added.
const items = `
  with told as (
    select account_id, case when count(*) = 1 then min(site_id) end as site_id
    from dispatch_sites where dispatch_id = $1 and ($2::text is null or account_id = $2) group by account_id
  ), stated as (
    -- The state that a notice tells: for the first one, the first that participants could see.
    select seq, case event when 'dispatch.create'
      then coalesce((select min(modification_number) from unnest($3::int[]) as revealed (modification_number)), modification_number)
      else modification_number end as told_modification
    from notices where dispatch_id = $1
  ), posted as (
    select messages.*, site_id, overdue_at, jsonb_build_object('mailId', id, 'event', event, 'modificationNumber', told_modification) as about
    from messages join told using (account_id) join stated on stated.seq = notice_seq left join escalations on message_id = id
    where subject = $1 and ${IS_MAIL}
  ), handed as (
    select posted.id, posted.account_id, posted.site_id, number, handovers.at, about || jsonb_build_object(
        'modificationNumber', modification_number, 'subject', handovers.subject, 'text', text) as detail,
      (select count(*) filter (where answer <> 'accepted') from mail_recipients as one
       where one.mail_id = posted.id and one.number = handovers.number) as refused,
      (select jsonb_agg(jsonb_strip_nulls(jsonb_build_object('name', name, 'email', email, 'accepted', answer = 'accepted',
         'reply', reply)) order by email)
       from mail_recipients as one where one.mail_id = posted.id and one.number = handovers.number) as recipients
    from posted join mail_handovers as handovers on mail_id = posted.id
  ), sent as (
    select messages.id, messages.created_at, failures, told.account_id, site_id, ended_at, reason,
      jsonb_build_object('webhookId', recipient, 'url', url, 'deliveryId', messages.id, 'event', messages.event,
        'modificationNumber', told_modification) as detail
    from messages join webhooks on webhooks.id = recipient join told on told.account_id = webhooks.account_id
    join stated on stated.seq = notice_seq where messages.subject = $1
  ), attempted as (
    select account_id, site_id, detail, number, at, at + duration_ms * interval '1 millisecond' as answered_at, status,
      duration_ms, address, error, is_resend, gave_up, id, failures,
      row_number() over (partition by id, error is null, error is not null and is_resend order by number) as nth
    from sent join message_attempts on message_id = id
  ), revealed as (
    select * from unnest($3::int[], $4::timestamptz[]) as revealed (modification_number, at)
  ), disabled as (
    -- G50. For a notice that is not recorded yet, the current state of the accounts counts.
    select revealed.modification_number, account_id
    from revealed join notices on dispatch_id = $1 and case event
      when 'dispatch.create' then revealed.modification_number = (select min(modification_number) from revealed)
      else revealed.modification_number = notices.modification_number end
    cross join lateral unnest(case when noted_at is not null then disabled_accounts else array(
      select id from accounts where disabled) end) as account_id
  ), readable as (${readUntil("= $1")}
  ), addressed as (
    select ven, ven_notices.ven_id, account_id, told.site_id, at, modification_number, ven_notices.site_ids,
      ven_notices.poll_interval_seconds, poll_by, deleted_at,
      jsonb_build_object('ven', ven, 'venId', ven_notices.ven_id, 'modificationNumber', modification_number) as detail,
      lead(at) over (partition by ven order by modification_number) as superseded_at
    from ven_notices join vens on vens.id = ven join told using (account_id) where dispatch_id = $1
  ), shown as (
    select ven_showings.ven, account_id, told.site_id, how, ven_showings.at, modification_number, acknowledge_by, deleted_at,
      jsonb_build_object('ven', ven, 'venId', ven_id, 'modificationNumber', modification_number) as detail
    from ven_showings join vens on vens.id = ven join told using (account_id) where dispatch_id = $1
  ), asked as (
    select ven, account_id, site_id, detail, modification_number, min(acknowledge_by) as acknowledge_by, deleted_at,
      lead(min(at)) over (partition by ven order by modification_number) as superseded_at
    from shown group by ven, account_id, site_id, detail, modification_number, deleted_at
  ), pushed as (
    select attempts.*, account_id, site_id,
      jsonb_build_object('ven', ven, 'venId', ven_id, 'modificationNumber', modification_number) as detail
    from ven_push_attempts as attempts join vens on vens.id = ven join told using (account_id) where dispatch_id = $1
  ), mentioned as (
    select notices.*, told.site_id, jsonb_build_object('clientId', client_id, 'clientName', client_name, 'eventId', event_id,
        'operation', operation, 'modificationNumber', modification_number) as detail
    from openadr3_notices as notices join told using (account_id) where dispatch_id = $1
  ), called_back as (
    select messages.id, state, messages.ended_at, reason, modification_number, mentioned.account_id, site_id,
      mentioned.detail || jsonb_build_object('deliveryId', messages.id, 'url', messages.detail -> 'url') as detail
    from mentioned join passing_messages as messages using (change_seq, client_id)
  ), callback as (
    select called_back.*, number, at, at + duration_ms * interval '1 millisecond' as answered_at, status, duration_ms, address,
      error, gave_up
    from called_back join message_attempts on message_id = id
  ), operated as (
    select answers.*, mentioned.account_id, mentioned.site_id, detail || jsonb_build_object('reportId', report_id,
        'operatingState', state, 'resourceNames', resource_names) as detail
    from openadr3_answers as answers join mentioned using (dispatch_id, client_id, modification_number)
  ), phoned as (
    select messages.*, site_id, jsonb_build_object('messageId', id, 'event', event, 'name', detail -> 'name', 'phone', recipient,
        'modificationNumber', told_modification) as about
    from messages join told using (account_id) join stated on stated.seq = notice_seq where subject = $1 and ${IS_TO_PHONE}
  ), announced as (
    select messages.*, site_id, jsonb_build_object('messageId', id, 'addressId', recipient, 'event', event, 'name', detail -> 'name',
        'modificationNumber', told_modification) as about
    from messages join told using (account_id) join stated on stated.seq = notice_seq where subject = $1 and ${IS_ADDRESSED}
  ), personal as (
    select notices.id, account_id, site_id, notices.created_at, state, ended_at, reason, notices.detail as kept,
      jsonb_build_object('noticeId', notices.id, 'event', event, 'userId', user_id, 'userName', detail -> 'name',
        'sentBy', substr(channel, 10), 'browser', detail -> 'browser', 'modificationNumber', coalesce(modification, (
          select max(modification_number) from unnest($3::int[], $4::timestamptz[]) as revealed (modification_number, at)
          where at <= notices.created_at), 0)) as detail
    from messages as notices join told using (account_id) where subject = $1 and ${IS_PERSONAL}
  ), item (at, key, account_id, site_id, channel, what, detail) as (
    select at, '0.' || lpad(modification_number::text, 10, '0') || '.' || account_id, account_id, site_id,
      'rest', 'notified', jsonb_build_object('modificationNumber', modification_number)
    from told, revealed
    where (modification_number, account_id) not in (select modification_number, account_id from disabled)
  union all
    select created_at, '1.' || id, account_id, site_id, 'webhook', 'notified', detail from sent
  union all
    select at, '2.' || id || '.' || lpad(number::text, 10, '0'), account_id, site_id, 'webhook', 'attempt',
      detail || jsonb_build_object('number', number, 'status', status, 'durationMs', duration_ms, 'address', address,
        'error', error)
    from attempted
  union all
    select answered_at, '3.' || id || '.delivered', account_id, site_id, 'webhook', 'delivered', detail
    from attempted where error is null and nth = 1
  union all
    select answered_at, '3.' || id || '.failed', account_id, site_id, 'webhook', 'failed',
      detail || jsonb_build_object('reason', 'attempts_failed')
    from attempted where coalesce(gave_up, error is not null and not is_resend and nth = 5 and failures >= 5)
  union all
    select ended_at, '3.' || id || '.deleted', account_id, site_id, 'webhook', 'failed',
      detail || jsonb_build_object('reason', reason)
    from sent where reason is not null
  union all
    select overdue_at, '3.' || id, account_id, site_id, 'mail', 'notified', about from posted where overdue_at is not null
  union all
    select at, '4.' || id || '.' || lpad(number::text, 10, '0'), account_id, site_id, 'mail',
      case when refused < jsonb_array_length(recipients) then 'mailed' else 'attempt' end,
      detail || jsonb_build_object('refusedRecipients', refused, 'recipients', recipients)
    from handed
  union all
    -- Of versions that kept neither text nor answers.
    select ended_at, '4.' || id, account_id, site_id, 'mail', 'mailed', about || jsonb_build_object('modificationNumber',
        coalesce(modification, (about -> 'modificationNumber')::int), 'refusedRecipients', detail -> 'refused',
        'recipients', detail -> 'recipients', 'subject', null, 'text', null)
    from posted where state = 'delivered' and not exists (select from mail_handovers where mail_id = posted.id)
  union all
    select ended_at, '4.' || id, account_id, site_id, 'mail', 'failed',
      about || jsonb_build_object('reason', reason, 'error', detail -> 'error')
    from posted where state = 'failed'
  union all
    select ended_at, '4.' || id || '.dropped', account_id, site_id, 'mail', 'failed',
      about || jsonb_build_object('reason', reason, 'error', detail -> 'error')
    from posted where state = 'dropped' and reason is not null
  union all
    select created_at, '4.' || id || '.due', account_id, site_id, channel, 'notified', about from phoned
  union all
    select ended_at, '4.' || id || '.sent', account_id, site_id, channel, 'handed_over',
      about || jsonb_build_object('gatewayId', detail -> 'gatewayId', 'modificationNumber', modification,
        'text', detail -> 'text')
    from phoned where state = 'delivered'
  union all
    select ended_at, '4.' || id || '.failed', account_id, site_id, channel, 'failed',
      about || jsonb_build_object('reason', 'gateway_' || reason, 'error', detail -> 'error')
    from phoned where state = 'failed'
  union all
    select ended_at, '4.' || id || '.dropped', account_id, site_id, channel, 'failed',
      about || jsonb_build_object('reason', reason, 'error', detail -> 'error')
    from phoned where state = 'dropped' and reason is not null
  union all
    select created_at, '1.' || id, account_id, site_id, channel, 'notified', about from announced
  union all
    select at, '2.' || id || '.' || lpad(number::text, 10, '0'), account_id, site_id, channel, 'attempt',
      about || jsonb_build_object('number', number, 'status', status, 'durationMs', duration_ms, 'address', address, 'error', error)
    from announced join message_attempts on message_id = id
  union all
    select ended_at, '3.' || id || '.delivered', account_id, site_id, channel, 'delivered',
      about || jsonb_build_object('modificationNumber', modification, 'text', detail -> 'text')
    from announced where state = 'delivered'
  union all
    select ended_at, '3.' || id || '.failed', account_id, site_id, channel, 'failed',
      about || jsonb_build_object('reason', 'address_' || reason, 'error', detail -> 'error')
    from announced where state = 'failed'
  union all
    select ended_at, '3.' || id || '.dropped', account_id, site_id, channel, 'failed',
      about || jsonb_build_object('reason', reason, 'error', detail -> 'error')
    from announced where state = 'dropped' and reason is not null
  union all
    select created_at, '1.' || id, account_id, site_id, 'personal', 'notified', detail from personal
  union all
    select ended_at, '4.' || id, account_id, site_id, 'personal', 'delivered', detail || jsonb_build_object('text', kept -> 'text')
    from personal where state = 'delivered'
  union all
    select ended_at, '4.' || id, account_id, site_id, 'personal', 'failed', detail || jsonb_build_object('reason',
        case when kept ->> 'error' in ('status_404', 'status_410') then 'browser_gone'
          when ended_at < ${waitsSince("created_at", "ended_at")} + interval '1 day' then 'mail_refused' else 'expired' end,
        'error', kept -> 'error')
    from personal where state = 'failed'
  union all
    select ended_at, '4.' || id || '.dropped', account_id, site_id, 'personal', 'failed',
      detail || jsonb_build_object('reason', reason, 'error', kept -> 'error')
    from personal where state = 'dropped' and reason is not null
  union all
    select at, '5.' || lpad(modification_number::text, 10, '0') || '.' || how || '.' || account_id, account_id, site_id,
      'rest', how, jsonb_build_object('modificationNumber', modification_number, 'isAfterEnd', at > read_until)
    from dispatch_reads join told using (account_id) left join readable using (dispatch_id, modification_number)
    where dispatch_id = $1
  union all
    select at, '5.' || lpad(modification_number::text, 10, '0') || '.viewed.' || user_id, account_id, site_id, 'rest', 'viewed',
      jsonb_build_object('modificationNumber', modification_number, 'isAfterEnd', at > read_until, 'userId', user_id,
        'userName', user_name)
    from dispatch_page_reads join told using (account_id) left join readable using (dispatch_id, modification_number)
    where dispatch_id = $1
  union all
    select at, '5.phone.' || lpad(seq::text, 20, '0'), account_id, site_id, 'phone', 'reached',
      jsonb_build_object('modificationNumber', modification_number, 'person', person, 'note', note, 'actor', actor,
        'actorName', coalesce(actor_name, (select name from users where 'user:' || users.id = actor)))
    from phone_calls join told using (account_id) where dispatch_id = $1
  union all
    select at, '6.' || lpad(modification_number::text, 10, '0') || '.' || ven, account_id, site_id, 'openadr', 'notified',
      detail || jsonb_build_object('siteIds', site_ids, 'pollIntervalSeconds', poll_interval_seconds,
        'pollByMs', extract(epoch from poll_by) * 1000)
    from addressed
  union all
    select at, '7.' || lpad(modification_number::text, 10, '0') || '.' || ven, account_id, site_id, 'openadr', 'polled',
      detail || jsonb_build_object('isAfterEnd', at > read_until)
    from shown left join readable using (modification_number) where how = 'poll'
  union all
    select at, '7.' || lpad(seq::text, 20, '0'), account_id, site_id, 'openadr', 'attempt', detail || jsonb_build_object(
        'number', number, 'status', status, 'durationMs', duration_ms, 'address', address, 'error', error)
    from pushed
  union all
    select at + duration_ms * interval '1 millisecond', '8.' || lpad(seq::text, 20, '0'), account_id, site_id, 'openadr',
      case when error is null then 'delivered' else 'failed' end,
      case when error is null then detail else detail || jsonb_build_object('reason', 'attempts_failed') end
    from pushed where error is null or coalesce(gave_up, number = 5)
  union all
    select drops.at, '8.' || lpad(modification_number::text, 10, '0') || '.' || ven || '.dropped', account_id,
      told.site_id, 'openadr', 'failed', jsonb_build_object('ven', ven, 'venId', ven_id,
        'modificationNumber', modification_number, 'reason', reason)
    from ven_push_drops as drops join vens on vens.id = ven join told using (account_id) where dispatch_id = $1
  union all
    select at, '8.' || lpad(answer.seq::text, 20, '0') || '.' || ven, account_id, site_id, 'openadr', 'acknowledged',
      jsonb_build_object('ven', ven, 'venId', ven_id, 'modificationNumber', modification_number, 'opt', opt,
        'responseCode', response_code, 'isAfterEnd', at > read_until)
    from (select seq, ven, modification_number, opt, response_code, at from ven_acknowledgements where dispatch_id = $1) as answer
    left join readable using (modification_number)
    join vens on vens.id = ven join told using (account_id)
  union all
    select first_at, '8.' || lpad(modification_number::text, 20, '0') || '.' || ven || '.' || code, account_id, site_id,
      'openadr', 'failed', jsonb_build_object('ven', ven, 'venId', ven_id, 'modificationNumber', modification_number,
        'reason', 'ven_error', 'responseCode', code, 'error', description)
    from ven_errors join vens on vens.id = ven join told using (account_id) where dispatch_id = $1
  union all
    select at, '9.' || lpad(modification_number::text, 10, '0') || '.' || ven || '.limit', account_id, site_id, 'openadr',
      'failed', jsonb_build_object('ven', ven, 'venId', ven_id, 'modificationNumber', modification_number,
        'reason', 'reply_limit')
    from ven_omissions join vens on vens.id = ven join told using (account_id) where dispatch_id = $1
  union all
    select at, '6.' || lpad(modification_number::text, 10, '0') || '.' || client_id, account_id, site_id, 'openadr3',
      'notified', detail || jsonb_build_object('siteIds', site_ids)
    from mentioned
  union all
    select showings.at, '7.' || lpad(modification_number::text, 10, '0') || '.' || client_id, account_id, site_id,
      'openadr3', 'polled', detail || jsonb_build_object('isAfterEnd', showings.at > read_until)
    from openadr3_showings as showings join mentioned using (dispatch_id, client_id, modification_number)
    left join readable using (dispatch_id, modification_number)
  union all
    select at, '7.' || id || '.' || lpad(number::text, 10, '0'), account_id, site_id, 'openadr3', 'attempt',
      detail || jsonb_build_object('number', number, 'status', status, 'durationMs', duration_ms, 'address', address,
        'error', error)
    from callback
  union all
    select answered_at, '8.' || id, account_id, site_id, 'openadr3', case when error is null then 'delivered' else 'failed' end,
      case when error is null then detail else detail || jsonb_build_object('reason', 'attempts_failed') end
    from callback where error is null or gave_up
  union all
    select ended_at, '8.' || id || '.dropped', account_id, site_id, 'openadr3', 'failed',
      detail || jsonb_build_object('reason', reason)
    from called_back where state = 'dropped'
  union all
    select at, '8.' || lpad(seq::text, 20, '0') || '.' || client_id, account_id, site_id, 'openadr3',
      case when opt is null then 'failed' else 'acknowledged' end,
      detail || case when opt is null then jsonb_build_object('reason', 'ven_error')
        else jsonb_build_object('opt', opt, 'isAfterEnd', at > read_until) end
    from operated left join readable using (dispatch_id, modification_number)
  union all
    select poll_by, '9.' || lpad(modification_number::text, 10, '0') || '.' || ven || '.poll', account_id, site_id,
      'openadr', 'failed', detail || jsonb_build_object('reason', 'not_polled')
    from addressed
    where poll_by <= $8::timestamptz and (superseded_at is null or superseded_at > poll_by)
      and (deleted_at is null or deleted_at > poll_by) and not exists (
      select from shown where shown.ven = addressed.ven and shown.at <= poll_by
        and shown.modification_number >= addressed.modification_number)
  union all
    select acknowledge_by, '9.' || lpad(modification_number::text, 10, '0') || '.' || ven || '.answer', account_id, site_id,
      'openadr', 'failed', detail || jsonb_build_object('reason', 'not_acknowledged')
    from asked
    where acknowledge_by <= $8::timestamptz and (superseded_at is null or superseded_at > acknowledge_by)
      and (deleted_at is null or deleted_at > acknowledge_by) and not exists (
      select from ven_acknowledgements as answer where answer.dispatch_id = $1 and answer.ven = asked.ven
        and answer.at <= acknowledge_by and answer.modification_number = asked.modification_number)
  )`;

type SubjectRow = Row<"dispatches", "notification_time" | "is_record"> & { readonly account_id: string | null };

const subjectFrom = (row: SubjectRow) => ({
  notification: row.notification_time,
  isRecord: row.is_record,
  accountId: row.account_id,
});

export const evidenceStore = (db: Queryable): EvidenceStore => ({
  findSubject: (dispatchId, { accountId, siteId }) =>
    readFirst(db, subjectFrom, {
      text: `select notification_time, is_record, (
         select account_id from dispatch_sites
         where dispatch_id = $1 and ($2::text is null or account_id = $2) and ($3::text is null or site_id = $3) limit 1
       ) as account_id
       from dispatches where id = $1`,
      values: [dispatchId, accountId, siteId],
    }),
  async list({ dispatchId, accountId, revealed, now }, { after, limit }) {
    const { rows } = await db.query<EvidenceRow>(
      `${items}
       select at, key, account_id, site_id, channel, what, detail from item
       where $5::timestamptz is null or (at, key collate "C") > ($5, $6::text)
       order by at, key collate "C" limit $7`,
      [dispatchId, accountId, ...valuesOf(revealed, "modificationNumber", "at"), after?.at, after?.key, limit + 1, now],
    );
    const shown = rows.slice(0, limit);
    return { items: shown.map(fromRow), next: rows.length > limit ? (shown.at(-1) ?? null) : null };
  },
});
