import { IS_NOT_OVER, IS_SELF_MADE } from "../../dispatch/storage/dispatch-conditions.js";
import { isPhoned } from "../../notification/storage/phone-call-store.js";
import { silentMs } from "../../openadr/domain/polls.js";
import { IS_CALLED_BACK } from "../../openadr-3/storage/client-conditions.js";
import type { Row } from "../../platform/database/columns.js";
import type { Queryable } from "../../platform/database/database.js";
import { type AccountRow, accountName, type Finding } from "../../platform/database/finding.js";
import { formatTimestamp } from "../../platform/timestamp.js";

type ClientFindingRow = AccountRow & Row<"openadr3_clients", "id" | "name">;

const CLIENT = "clients.id, clients.name, clients.account_id, accounts.name as account_name";
/** Of production, with an account that is notified. */
const CLIENTS = `openadr3_clients as clients join accounts on accounts.id = clients.account_id and not disabled
  and environment = 'production' and revoked_at is null`;

const clientName = (row: ClientFindingRow): string => `VEN ${row.name} (${row.id}) of account ${accountName(row)}`;

type SilentRow = ClientFindingRow & { readonly last_at: Date; readonly interval_seconds: number };

/**
 * VENs that have not read their events for three of their usual intervals while a process was listening. A VEN that
 * polled once at most has no interval; one that is called back need not poll.
 */
export const silentClients = async (db: Queryable): Promise<Finding[]> => {
  const { rows } = await db.query<SilentRow>(
    `select ${CLIENT}, last_at, interval_seconds
     from ${CLIENTS} join openadr3_polls on client_id = clients.id
     where interval_seconds is not null and not ${IS_CALLED_BACK}
       -- Our own outage is not a VEN's silence: a process must have listened the whole time.
       and exists (select from vtn_listening where
         until - (interval_seconds * $2 + $1) * interval '1 millisecond' > greatest(since, last_at))
     order by clients.seq`,
    [silentMs(0), silentMs(1) - silentMs(0)],
  );
  return rows.map((row) => ({
    subject: row.id,
    accountId: row.account_id,
    message:
      `${clientName(row)} usually reads its events every ${Math.round(row.interval_seconds)} s and has not since ` +
      `${formatTimestamp(row.last_at)}. It receives no dispatches until it does: phone the account, and check its VEN ` +
      "and network.",
  }));
};

type UndeliveredRow = ClientFindingRow & {
  readonly dispatch_id: string;
  readonly modification_number: number;
  readonly url: string;
  readonly error: string | null;
};

const LAST_ERROR = `(select error from openadr3_attempts where delivery_id = deliveries.id order by number desc limit 1)`;

const learned = (table: "openadr3_showings" | "openadr3_answers"): string => `exists (select from ${table} as learned
  where learned.dispatch_id = notices.dispatch_id and learned.client_id = clients.id
    and learned.modification_number >= notices.modification_number)`;

/** Dispatches of which a callback was given up, until the VEN learns of them otherwise; not if somebody phoned. */
const undeliveredDispatches = async (db: Queryable, now: Date): Promise<Finding[]> => {
  const { rows } = await db.query<UndeliveredRow>(
    `select distinct on (clients.id, notices.dispatch_id) ${CLIENT}, notices.dispatch_id, notices.modification_number, url,
       ${LAST_ERROR} as error
     from dispatches join openadr3_notices as notices on notices.dispatch_id = dispatches.id
     join openadr3_deliveries as deliveries using (change_seq, client_id)
     join ${CLIENTS} on clients.id = notices.client_id
     where state = 'failed' and ${IS_NOT_OVER} and not ${IS_SELF_MADE}
       and not ${learned("openadr3_showings")} and not ${learned("openadr3_answers")}
       and not exists (
         select from openadr3_notices as later join openadr3_deliveries as delivered using (change_seq, client_id)
         where later.dispatch_id = notices.dispatch_id and later.client_id = clients.id and delivered.state = 'delivered'
           and later.modification_number >= notices.modification_number)
       and not ${isPhoned("notices.dispatch_id", "clients.account_id", "notices.modification_number")}
     order by clients.id, notices.dispatch_id, notices.modification_number desc`,
    [now],
  );
  return rows.map((row) => ({
    subject: `${row.id} ${row.dispatch_id}`,
    accountId: row.account_id,
    message:
      `${clientName(row)} was not notified of dispatch ${row.dispatch_id} (modification ${row.modification_number}): ` +
      `every attempt at ${row.url} failed${row.error === null ? "" : ` (${row.error})`}. Phone the account: it may not ` +
      "curtail; have its callback checked.",
  }));
};

type FailingRow = Row<"openadr3_clients", "id" | "name"> & {
  readonly account_id: string | null;
  readonly account_name: string | null;
  readonly subscription_id: string;
  readonly object_type: string;
  readonly url: string;
  readonly error: string | null;
};

/** Subscriptions whose latest finished notification, of anything but a dispatch, was given up. */
const failingSubscriptions = async (db: Queryable): Promise<Finding[]> => {
  const { rows } = await db.query<FailingRow>(
    `select clients.id, clients.name, account_id, accounts.name as account_name, subscription.id as subscription_id,
       changes.object_type, url, ${LAST_ERROR} as error
     from openadr3_objects as subscription
     join openadr3_clients as clients on clients.id = subscription.client_id and revoked_at is null
     left join accounts on accounts.id = account_id
     cross join lateral (
       select id, state, change_seq, url from openadr3_deliveries as each
       where each.client_id = clients.id and subscription_id = subscription.id and state in ('delivered', 'failed')
       order by seq desc limit 1
     ) as deliveries join openadr3_changes as changes on changes.seq = change_seq
     where subscription.environment = 'production' and subscription.object_type = 'SUBSCRIPTION' and state = 'failed'
       and changes.source is distinct from 'dispatch' and disabled is not true
     order by subscription.seq`,
  );
  return rows.map((row) => ({
    subject: row.subscription_id,
    accountId: row.account_id,
    message:
      `The subscription ${row.subscription_id} of OpenADR 3 client ${row.name} (${row.id}) could not be notified of a ` +
      `change (${row.object_type}): every attempt at ${row.url} failed${row.error === null ? "" : ` (${row.error})`}. ` +
      `Have the callback checked${row.account_name === null ? "" : ` by account ${row.account_name}`}.`,
  }));
};

/** Notifications of subscriptions that were given up. */
export const undeliveredCallbacks = async (db: Queryable, now: Date): Promise<Finding[]> => [
  ...(await undeliveredDispatches(db, now)),
  ...(await failingSubscriptions(db)),
];

type AnsweredRow = ClientFindingRow &
  Row<"openadr3_answers", "dispatch_id" | "modification_number" | "opt" | "state" | "at">;

/** The latest operating state that each VEN reported of each dispatch that is not over; `latest` in the condition. */
const latestAnswers = async (db: Queryable, now: Date, where: string): Promise<AnsweredRow[]> => {
  const { rows } = await db.query<AnsweredRow>(
    `select * from (
       select distinct on (clients.id, dispatch_id) ${CLIENT}, dispatch_id, answers.modification_number, opt, state, at
       from dispatches join openadr3_answers as answers on dispatch_id = dispatches.id
       join ${CLIENTS} on clients.id = client_id
       where authorized and ${IS_NOT_OVER} and not ${IS_SELF_MADE}
       order by clients.id, dispatch_id, answers.seq desc
     ) as latest where ${where}`,
    [now],
  );
  return rows;
};

const IS_OPT_OUT = `opt = 'optOut' and not exists (
  select from alarms where kind = 'ven_opted_out' and subject = latest.id || ' ' || dispatch_id
    and alarms.acknowledged_at >= latest.at)`;

/** VENs that opted out of dispatches that are not over, until acknowledged. */
export const clientOptOuts = async (db: Queryable, now: Date): Promise<Finding[]> =>
  (await latestAnswers(db, now, IS_OPT_OUT)).map((row) => ({
    subject: `${row.id} ${row.dispatch_id}`,
    accountId: row.account_id,
    message:
      `${clientName(row)} opted out of dispatch ${row.dispatch_id} (modification ${row.modification_number}): it reported ` +
      `${row.state} at ${formatTimestamp(row.at)}. Its sites will not curtail: phone the account, or plan without them.`,
  }));

/** VENs whose resources are in error, until they report another state. */
export const clientErrors = async (db: Queryable, now: Date): Promise<Finding[]> =>
  (await latestAnswers(db, now, "opt is null")).map((row) => ({
    subject: `${row.id} ${row.dispatch_id}`,
    accountId: row.account_id,
    message:
      `${clientName(row)} reported ${row.state} for dispatch ${row.dispatch_id} (modification ${row.modification_number}) ` +
      `at ${formatTimestamp(row.at)}. Phone the account and have its VEN checked.`,
  }));
