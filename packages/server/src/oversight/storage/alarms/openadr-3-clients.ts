import { IS_NOT_OVER, IS_REHEARSAL } from "../../../dispatch/storage/dispatch-conditions.js";
import { silentMs } from "../../../openadr/domain/polls.js";
import { IS_CALLED_BACK } from "../../../openadr-3/storage/client-conditions.js";
import { formatTimestamp } from "../../../platform/timestamp.js";
import { account, accountName, alarmRule, isPhoned, WHEN_DISPATCHED } from "../alarm-rule.js";
import { count, type FactsOf, text, textOrNull, time } from "../facts.js";

/** A VEN of OpenADR 3 in a finding. */
export const client = { ...account, id: text, name: text };

const CLIENT = "clients.id, clients.name, clients.account_id, accounts.name as account_name";

/** Of production, with an account that is notified. */
const CLIENTS = `openadr3_clients as clients join accounts on accounts.id = clients.account_id and not disabled
  and environment = 'production' and revoked_at is null`;

export const clientName = (row: FactsOf<typeof client>): string =>
  `VEN ${row.name} (${row.id}) of account ${accountName(row)}`;

/** An operating state that a VEN reported. */
export const answer = { ...client, dispatch_id: text, modification_number: count, state: text, at: time };

/** The latest operating state that each VEN reported of each dispatch that is not over; `latest` in the condition. */
export const latestAnswers = (where: string): string => `
  select id || ' ' || dispatch_id as subject, latest.*
  from (
    select distinct on (clients.id, dispatch_id) ${CLIENT}, dispatch_id, answers.modification_number, opt, state, at
    from dispatches join openadr3_answers as answers on dispatch_id = dispatches.id
    join ${CLIENTS} on clients.id = client_id
    where authorized and ${IS_NOT_OVER} and not ${IS_REHEARSAL}
    order by clients.id, dispatch_id, answers.seq desc
  ) as latest where ${where} order by id, dispatch_id`;

const SILENT_MS = `interval_seconds * ${silentMs(1) - silentMs(0)} + ${silentMs(0)}`;

/**
 * VENs that have not read their events for three of their usual intervals while a process was listening. A VEN that
 * polled once at most has no interval; one that is called back need not poll.
 */
export const openadr3Silent = alarmRule({
  kind: "openadr3_silent",
  find: `
    select clients.id as subject, ${CLIENT}, last_at, interval_seconds
    from ${CLIENTS} join openadr3_polls on client_id = clients.id
    where interval_seconds is not null and not ${IS_CALLED_BACK}
      -- Our own outage is not a VEN's silence: a process must have listened the whole time.
      and exists (select from vtn_listening where
        until - (${SILENT_MS}) * interval '1 millisecond' > greatest(since, last_at))
    order by clients.seq`,
  facts: { ...client, last_at: time, interval_seconds: count },
  message: (row) =>
    `${clientName(row)} usually reads its events every ${Math.round(row.interval_seconds)} s and has not since ` +
    `${formatTimestamp(row.last_at)}. It receives no dispatches until it does: phone the account, and check its VEN ` +
    "and network.",
});

const learned = (table: "openadr3_showings" | "openadr3_answers"): string => `exists (select from ${table} as learned
  where learned.dispatch_id = notices.dispatch_id and learned.client_id = clients.id
    and learned.modification_number >= notices.modification_number)`;

/** Dispatches of which a callback was given up, until the VEN learns of them otherwise; not if somebody phoned. */
export const undeliveredDispatch = alarmRule({
  kind: "openadr3_undelivered",
  find: `
    select distinct on (clients.id, notices.dispatch_id) clients.id || ' ' || notices.dispatch_id as subject, ${CLIENT},
      notices.dispatch_id, notices.modification_number, detail ->> 'url' as url, detail ->> 'error' as error
    from dispatches join openadr3_notices as notices on notices.dispatch_id = dispatches.id
    join passing_messages as messages using (change_seq, client_id)
    join ${CLIENTS} on clients.id = notices.client_id
    where state = 'failed' and ${IS_NOT_OVER} and not ${IS_REHEARSAL}
      and not ${learned("openadr3_showings")} and not ${learned("openadr3_answers")}
      and not exists (
        select from openadr3_notices as later join passing_messages as delivered using (change_seq, client_id)
        where later.dispatch_id = notices.dispatch_id and later.client_id = clients.id and delivered.state = 'delivered'
          and later.modification_number >= notices.modification_number)
      and not ${isPhoned("notices.dispatch_id", "clients.account_id", "notices.modification_number")}
    order by clients.id, notices.dispatch_id, notices.modification_number desc`,
  when: WHEN_DISPATCHED,
  facts: { ...client, dispatch_id: text, modification_number: count, url: text, error: textOrNull },
  message: (row) =>
    `${clientName(row)} was not notified of dispatch ${row.dispatch_id} (modification ${row.modification_number}): ` +
    `every attempt at ${row.url} failed${row.error === null ? "" : ` (${row.error})`}. Phone the account: it may not ` +
    "curtail; have its callback checked.",
  reason: () => "callback_failed",
});

/** Subscriptions whose latest finished notification, of anything but a dispatch, was given up. */
export const failingSubscription = alarmRule({
  kind: "openadr3_undelivered",
  find: `
    select subscription.id as subject, clients.id, clients.name, account_id, accounts.name as account_name,
      changes.object_type, detail ->> 'url' as url, detail ->> 'error' as error
    from openadr3_objects as subscription
    join openadr3_clients as clients on clients.id = subscription.client_id and revoked_at is null
    left join accounts on accounts.id = account_id
    cross join lateral (
      select state, change_seq, detail from passing_messages as each
      where each.client_id = clients.id and recipient = subscription.id and state in ('delivered', 'failed')
      order by seq desc limit 1
    ) as messages join openadr3_changes as changes on changes.seq = change_seq
    where subscription.environment = 'production' and subscription.object_type = 'SUBSCRIPTION' and state = 'failed'
      and changes.source is distinct from 'dispatch' and disabled is not true
    order by subscription.seq`,
  facts: {
    subject: text,
    id: text,
    name: text,
    account_name: textOrNull,
    object_type: text,
    url: text,
    error: textOrNull,
  },
  message: ({ subject, id, name, account_name, object_type, url, error }) =>
    `The subscription ${subject} of OpenADR 3 client ${name} (${id}) could not be notified of a ` +
    `change (${object_type}): every attempt at ${url} failed${error === null ? "" : ` (${error})`}. ` +
    `Have the callback checked${account_name === null ? "" : ` by account ${account_name}`}.`,
});
