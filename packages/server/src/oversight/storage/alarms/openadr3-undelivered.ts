import { IS_NOT_OVER, IS_SELF_MADE } from "../../../dispatch/storage/dispatch-conditions.js";
import { isPhoned } from "../../../notification/storage/phone-call-store.js";
import { alarmRule, WHEN_DISPATCHED } from "../alarm-rule.js";
import { count, text, textOrNull } from "../facts.js";
import { CLIENT, CLIENTS, client, clientName } from "./openadr-3-clients.js";

const kind = "openadr3_undelivered";

const learned = (table: "openadr3_showings" | "openadr3_answers"): string => `exists (select from ${table} as learned
  where learned.dispatch_id = notices.dispatch_id and learned.client_id = clients.id
    and learned.modification_number >= notices.modification_number)`;

/** Dispatches of which a callback was given up, until the VEN learns of them otherwise; not if somebody phoned. */
export const undeliveredDispatch = alarmRule({
  kind,
  find: `
    select distinct on (clients.id, notices.dispatch_id) clients.id || ' ' || notices.dispatch_id as subject, ${CLIENT},
      notices.dispatch_id, notices.modification_number, detail ->> 'url' as url, detail ->> 'error' as error
    from dispatches join openadr3_notices as notices on notices.dispatch_id = dispatches.id
    join passing_messages as messages using (change_seq, client_id)
    join ${CLIENTS} on clients.id = notices.client_id
    where state = 'failed' and ${IS_NOT_OVER} and not ${IS_SELF_MADE}
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
});

/** Subscriptions whose latest finished notification, of anything but a dispatch, was given up. */
export const failingSubscription = alarmRule({
  kind,
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
