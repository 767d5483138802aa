import { IS_NOT_OVER, IS_SELF_MADE, IS_SHOWN } from "../../dispatch/storage/dispatch-conditions.js";
import { isPhoned } from "../../notification/storage/phone-call-store.js";
import { ACKNOWLEDGE_MS, LISTED_AFTER_END_MS, MISSED_INTERVALS } from "../../openadr/domain/ven.js";
import type { Row } from "../../platform/database/columns.js";
import type { Queryable } from "../../platform/database/database.js";
import { type AccountRow, accountName, type Finding } from "../../platform/database/finding.js";
import { formatTimestamp } from "../../platform/timestamp.js";

type VenFindingRow = AccountRow & Row<"vens", "id" | "ven_id">;
type SilentRow = VenFindingRow & Row<"vens", "last_poll_at" | "poll_interval_seconds">;

/**
 * VENs that have not polled for three of their intervals while a process was listening; for those that never polled,
 * counted from their first certificate. VENs that events are pushed to need not poll.
 */
export const silentVens = async (db: Queryable): Promise<Finding[]> => {
  const { rows } = await db.query<SilentRow>(
    `select vens.id, ven_id, account_id, accounts.name as account_name, last_poll_at, poll_interval_seconds
     from vens join accounts on accounts.id = account_id
     where environment = 'production' and deleted_at is null and not disabled and push_url is null
       -- Our own outage is not a VEN's silence: a process must have listened the whole time.
       and exists (select from vtn_listening where until - poll_interval_seconds * $1::int * interval '1 second' > greatest(
         since, coalesce(last_poll_at, (select min(created_at) from ven_certificates where ven = vens.id))))
     order by vens.seq`,
    [MISSED_INTERVALS],
  );
  return rows.map((row) => ({
    subject: row.id,
    accountId: row.account_id,
    message:
      `${venName(row)} should poll every ${row.poll_interval_seconds} s and ` +
      `${row.last_poll_at === null ? "never has" : `has not since ${formatTimestamp(row.last_poll_at)}`}. ` +
      "It receives no dispatches until it polls: phone the account, and check its VEN, certificate and network.",
  }));
};

type UnacknowledgedRow = VenFindingRow &
  Row<"ven_events", "dispatch_id" | "shown_modification" | "modification_shown_at">;

/** Events that were sent to VENs and not acknowledged in time, of dispatches that still count; not if somebody phoned. */
export const unacknowledgedEvents = async (db: Queryable, now: Date): Promise<Finding[]> => {
  const { rows } = await db.query<UnacknowledgedRow>(
    `select vens.id, ven_id, account_id, accounts.name as account_name, dispatch_id, shown_modification,
       modification_shown_at
     from dispatches join ven_events on dispatch_id = dispatches.id
     join vens on vens.id = ven join accounts on accounts.id = account_id
     where ${STILL_COUNTS} and not ${IS_SELF_MADE}
       and not ${isPhoned("dispatch_id", "vens.account_id", "shown_modification")}
       and acknowledged_modification is distinct from shown_modification and modification_shown_at < $3
       and deleted_at is null and not disabled
     order by dispatch_id, vens.id`,
    [now, sinceListed(now), new Date(now.getTime() - ACKNOWLEDGE_MS)],
  );
  return rows.map((row) => ({
    subject: `${row.id} ${row.dispatch_id}`,
    accountId: row.account_id,
    message:
      `${venName(row)} received dispatch ${row.dispatch_id} (modification ${row.shown_modification}) at ` +
      `${formatTimestamp(row.modification_shown_at)} and has not acknowledged it. Phone the account: it may not curtail.`,
  }));
};

/**
 * Dispatches that are not over, or were cancelled so recently that VENs are still informed; now is $1, the latter since
 * $2.
 */
const STILL_COUNTS = `${IS_NOT_OVER} and ${IS_SHOWN}`;

const sinceListed = (now: Date): Date => new Date(now.getTime() - LISTED_AFTER_END_MS);

type ErrorRow = VenFindingRow &
  Row<"ven_errors", "dispatch_id" | "modification_number" | "code" | "description" | "last_at">;

/** Errors that VENs reported about events, before or after acknowledging them; the latest of each event. */
export const venErrors = async (db: Queryable, now: Date): Promise<Finding[]> => {
  const { rows } = await db.query<ErrorRow>(
    `select distinct on (vens.id, dispatch_id) vens.id, ven_id, vens.account_id, accounts.name as account_name, dispatch_id,
       ven_errors.modification_number, code, latest_description as description, last_at
     from dispatches join ven_errors on dispatch_id = dispatches.id join ven_events using (ven, dispatch_id)
     join vens on vens.id = ven join accounts on accounts.id = account_id
     where ${STILL_COUNTS} and not ${IS_SELF_MADE} and deleted_at is null and not disabled and resolved_at is null
       and ven_errors.modification_number >= coalesce(acknowledged_modification, 0)
     order by vens.id, dispatch_id, last_at desc`,
    [now, sinceListed(now)],
  );
  return rows.map((row) => ({
    subject: `${row.id} ${row.dispatch_id}`,
    accountId: row.account_id,
    message:
      `${venName(row)} answered dispatch ${row.dispatch_id} (modification ${row.modification_number}) with the error ` +
      `${row.code}${row.description === null ? "" : ` (${row.description})`} at ${formatTimestamp(row.last_at)}. ` +
      "The VEN has not acknowledged it: phone the account and have its VEN checked.",
  }));
};

type OptOutRow = VenFindingRow &
  Row<"ven_events", "dispatch_id"> & {
    // Set together, once the event was acknowledged.
    readonly acknowledged_modification: number;
    readonly acknowledged_at: Date;
  };

/** VENs that opted out of dispatches that are not over, until acknowledged. */
export const optOuts = async (db: Queryable, now: Date): Promise<Finding[]> => {
  const { rows } = await db.query<OptOutRow>(
    `select vens.id, ven_id, vens.account_id, accounts.name as account_name, dispatch_id, acknowledged_modification,
       ven_events.acknowledged_at
     from dispatches join ven_events on dispatch_id = dispatches.id
     join vens on vens.id = ven join accounts on accounts.id = account_id
     where authorized and ${IS_NOT_OVER} and opt = 'optOut' and not ${IS_SELF_MADE}
       and deleted_at is null and not disabled and not exists (
         select from alarms where kind = 'ven_opted_out' and subject = vens.id || ' ' || dispatch_id
           and alarms.acknowledged_at >= ven_events.acknowledged_at)
     order by dispatch_id, vens.id`,
    [now],
  );
  return rows.map((row) => ({
    subject: `${row.id} ${row.dispatch_id}`,
    accountId: row.account_id,
    message:
      `${venName(row)} opted out of dispatch ${row.dispatch_id} (modification ${row.acknowledged_modification}) at ` +
      `${formatTimestamp(row.acknowledged_at)}: its sites will not curtail. Phone the account, or plan without them.`,
  }));
};

const venName = (row: VenFindingRow): string => `VEN ${row.ven_id} (${row.id}) of account ${accountName(row)}`;
