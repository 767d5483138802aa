import { IS_NOT_OVER, IS_SELF_MADE } from "../../../dispatch/storage/dispatch-conditions.js";
import { account, accountName } from "../alarm-rule.js";
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
