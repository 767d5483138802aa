import { IS_NOT_OVER, IS_SELF_MADE } from "../../../dispatch/storage/dispatch-conditions.js";
import { silentMs } from "../../../openadr/domain/polls.js";
import { IS_CALLED_BACK } from "../../../openadr-3/storage/client-conditions.js";
import { formatTimestamp } from "../../../platform/timestamp.js";
import { account, accountName, alarmRule } from "../alarm-rule.js";
import { count, type FactsOf, text, time } from "../facts.js";

/** A VEN of OpenADR 3 in a finding. */
export const client = { ...account, id: text, name: text };

export const CLIENT = "clients.id, clients.name, clients.account_id, accounts.name as account_name";

/** Of production, with an account that is notified. */
export const CLIENTS = `openadr3_clients as clients join accounts on accounts.id = clients.account_id and not disabled
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
    where authorized and ${IS_NOT_OVER} and not ${IS_SELF_MADE}
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
