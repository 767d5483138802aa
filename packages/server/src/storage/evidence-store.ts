import { ACKNOWLEDGE_MS, type Evidence, MISSED_INTERVALS, type Occurrence } from "../domain/evidence.js";
import { MAX_ATTEMPTS } from "../domain/webhook.js";
import type { EvidenceStore } from "../operations/delivery-ports.js";
import type { Queryable } from "./database.js";

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

// Items of the same moment stand as they follow from each other, and the rest of the key sets them apart: it never
// changes, so that a cursor stays where it is while items are added.
const items = `
  with told as (
    select account_id, case when count(*) = 1 then min(site_id) end as site_id
    from dispatch_sites where dispatch_id = $1 and ($2::text is null or account_id = $2) group by account_id
  ), sent as (
    select deliveries.id, deliveries.created_at, deliveries.state, failures, account_id, site_id, deleted_at,
      jsonb_build_object('webhookId', webhook_id, 'url', url, 'deliveryId', deliveries.id, 'event', event) as detail
    from deliveries join webhooks on webhooks.id = webhook_id join told using (account_id) where dispatch_id = $1
  ), attempted as (
    select account_id, site_id, detail, number, at, at + duration_ms * interval '1 millisecond' as ended_at, status,
      duration_ms, address, error, is_resend, id, failures,
      row_number() over (partition by id, error is null, error is not null and is_resend order by number) as nth
    from sent join delivery_attempts on delivery_id = id
  ), revealed as (
    select * from unnest($3::int[], $4::timestamptz[]) as revealed (modification_number, at)
  ), addressed as (
    select vens.id as ven, ven_id, account_id, site_id, revealed.at, modification_number,
      jsonb_build_object('ven', vens.id, 'venId', ven_id, 'modificationNumber', modification_number) as detail,
      revealed.at + $9::int * poll_interval_seconds * interval '1 second' as polls_until,
      lead(revealed.at) over (partition by vens.id order by modification_number) as superseded_at
    from told join vens using (account_id), revealed
    where environment = 'production' and vens.created_at <= revealed.at
      and (deleted_at is null or deleted_at > revealed.at)
      and (site_ids is null or exists (
        select from dispatch_sites where dispatch_id = $1 and dispatch_sites.site_id = any(site_ids)))
  ), shown as (
    select ven_showings.ven, account_id, told.site_id, how, ven_showings.at, modification_number,
      jsonb_build_object('ven', ven, 'venId', ven_id, 'modificationNumber', modification_number) as detail
    from ven_showings join vens on vens.id = ven join told using (account_id) where dispatch_id = $1
  ), asked as (
    select ven, account_id, site_id, detail, modification_number, min(at) + $10::int * interval '1 millisecond' as answers_until,
      lead(min(at)) over (partition by ven order by modification_number) as superseded_at
    from shown group by ven, account_id, site_id, detail, modification_number
  ), pushed as (
    select attempts.*, account_id, site_id,
      jsonb_build_object('ven', ven, 'venId', ven_id, 'modificationNumber', modification_number) as detail
    from ven_push_attempts as attempts join vens on vens.id = ven join told using (account_id) where dispatch_id = $1
  ), item (at, key, account_id, site_id, channel, what, detail) as (
    select at, '0.' || lpad(modification_number::text, 10, '0') || '.' || account_id, account_id, site_id,
      'rest', 'notified', jsonb_build_object('modificationNumber', modification_number)
    from told, revealed
  union all
    select created_at, '1.' || id, account_id, site_id, 'webhook', 'notified', detail from sent
  union all
    select at, '2.' || id || '.' || lpad(number::text, 10, '0'), account_id, site_id, 'webhook', 'attempt',
      detail || jsonb_build_object('number', number, 'status', status, 'durationMs', duration_ms, 'address', address,
        'error', error)
    from attempted
  union all
    select ended_at, '3.' || id || '.delivered', account_id, site_id, 'webhook', 'delivered', detail
    from attempted where error is null and nth = 1
  union all
    select ended_at, '3.' || id || '.failed', account_id, site_id, 'webhook', 'failed',
      detail || jsonb_build_object('reason', 'attempts_failed')
    from attempted where error is not null and not is_resend and nth = $5 and failures >= $5
  union all
    select deleted_at, '3.' || id || '.deleted', account_id, site_id, 'webhook', 'failed',
      detail || jsonb_build_object('reason', 'webhook_deleted')
    from sent where state = 'dropped' and not exists (select from attempted where attempted.id = sent.id and error is null)
  union all
    select overdue_at, '3.' || id, account_id, site_id, 'mail', 'notified',
      jsonb_build_object('mailId', id, 'event', event)
    from mails join told using (account_id) where dispatch_id = $1 and overdue_at is not null
  union all
    select sent_at, '4.' || id, account_id, site_id, 'mail', 'mailed',
      jsonb_build_object('mailId', id, 'event', event, 'refusedRecipients', refused_recipients)
    from mails join told using (account_id) where dispatch_id = $1 and state = 'sent'
  union all
    select given_up_at, '4.' || id, account_id, site_id, 'mail', 'failed',
      jsonb_build_object('mailId', id, 'event', event, 'reason', state, 'error', last_error)
    from mails join told using (account_id) where dispatch_id = $1 and given_up_at is not null
  union all
    select at, '5.' || lpad(modification_number::text, 10, '0') || '.' || how || '.' || account_id, account_id, site_id,
      'rest', how, jsonb_build_object('modificationNumber', modification_number)
    from dispatch_reads join told using (account_id) where dispatch_id = $1
  union all
    select at, '6.' || lpad(modification_number::text, 10, '0') || '.' || ven, account_id, site_id, 'openadr', 'notified',
      detail
    from addressed
  union all
    select at, '7.' || lpad(modification_number::text, 10, '0') || '.' || ven, account_id, site_id, 'openadr', 'polled',
      detail
    from shown where how = 'poll'
  union all
    select at, '7.' || lpad(seq::text, 20, '0'), account_id, site_id, 'openadr', 'attempt', detail || jsonb_build_object(
        'number', number, 'status', status, 'durationMs', duration_ms, 'address', address, 'error', error)
    from pushed
  union all
    select at + duration_ms * interval '1 millisecond', '8.' || lpad(seq::text, 20, '0'), account_id, site_id, 'openadr',
      case when error is null then 'delivered' else 'failed' end,
      case when error is null then detail else detail || jsonb_build_object('reason', 'attempts_failed') end
    from pushed where error is null or number = $5
  union all
    select at, '8.' || lpad(answer.seq::text, 20, '0') || '.' || ven, account_id, site_id, 'openadr', 'acknowledged',
      jsonb_build_object('ven', ven, 'venId', ven_id, 'modificationNumber', modification_number, 'opt', opt,
        'responseCode', response_code)
    from (select seq, ven, modification_number, opt, response_code, at from ven_acknowledgements where dispatch_id = $1) as answer
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
    select polls_until, '9.' || lpad(modification_number::text, 10, '0') || '.' || ven || '.poll', account_id, site_id,
      'openadr', 'failed', detail || jsonb_build_object('reason', 'not_polled')
    from addressed
    where polls_until <= $11::timestamptz and (superseded_at is null or superseded_at > polls_until) and not exists (
      select from shown where shown.ven = addressed.ven and shown.at <= polls_until
        and shown.modification_number >= addressed.modification_number)
  union all
    select answers_until, '9.' || lpad(modification_number::text, 10, '0') || '.' || ven || '.answer', account_id, site_id,
      'openadr', 'failed', detail || jsonb_build_object('reason', 'not_acknowledged')
    from asked
    where answers_until <= $11::timestamptz and (superseded_at is null or superseded_at > answers_until) and not exists (
      select from ven_acknowledgements as answer where answer.dispatch_id = $1 and answer.ven = asked.ven
        and answer.at <= answers_until and answer.modification_number = asked.modification_number)
  )`;

interface SubjectRow {
  readonly notification_time: Date;
  readonly account_id: string | null;
}

export const evidenceStore = (db: Queryable): EvidenceStore => ({
  async findSubject(dispatchId, { accountId, siteId }) {
    const { rows } = await db.query<SubjectRow>(
      `select notification_time, (
         select account_id from dispatch_sites
         where dispatch_id = $1 and ($2::text is null or account_id = $2) and ($3::text is null or site_id = $3) limit 1
       ) as account_id
       from dispatches where id = $1`,
      [dispatchId, accountId, siteId],
    );
    const [row] = rows;
    return row === undefined ? null : { notification: row.notification_time, accountId: row.account_id };
  },
  async list({ dispatchId, accountId, revealed, now }, { after, limit }) {
    const { rows } = await db.query<EvidenceRow>(
      `${items}
       select at, key, account_id, site_id, channel, what, detail from item
       where $6::timestamptz is null or (at, key collate "C") > ($6, $7::text)
       order by at, key collate "C" limit $8`,
      [
        dispatchId,
        accountId,
        revealed.map(({ modificationNumber }) => modificationNumber),
        revealed.map(({ at }) => at),
        MAX_ATTEMPTS,
        after?.at,
        after?.key,
        limit + 1,
        MISSED_INTERVALS,
        ACKNOWLEDGE_MS,
        now,
      ],
    );
    const shown = rows.slice(0, limit);
    return { items: shown.map(fromRow), next: rows.length > limit ? (shown.at(-1) ?? null) : null };
  },
});
