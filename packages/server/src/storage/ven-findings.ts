import { ACKNOWLEDGE_MS, MISSED_INTERVALS } from "../domain/evidence.js";
import { formatTimestamp } from "../domain/timestamp.js";
import { LISTED_AFTER_END_MS } from "../domain/ven.js";
import type { Queryable } from "./database.js";
import { IS_SELF_MADE } from "./dispatch-store.js";
import { accountName, type Finding } from "./finding.js";

interface VenFindingRow {
  readonly id: string;
  readonly ven_id: string;
  readonly account_id: string;
  readonly account_name: string;
}

interface SilentRow extends VenFindingRow {
  readonly last_poll_at: Date | null;
  readonly poll_interval_seconds: number;
}

/**
 * VENs that have not polled for three of their intervals; one that never did, counted from its first certificate. One
 * to which events are pushed need not poll.
 */
export const silentVens = async (db: Queryable, now: Date): Promise<Finding[]> => {
  const { rows } = await db.query<SilentRow>(
    `select vens.id, ven_id, account_id, accounts.name as account_name, last_poll_at, poll_interval_seconds
     from vens join accounts on accounts.id = account_id
     where environment = 'production' and deleted_at is null and not disabled and push_url is null
       and coalesce(last_poll_at, (select min(created_at) from ven_certificates where ven = vens.id))
         < $1::timestamptz - poll_interval_seconds * $2::int * interval '1 second'
     order by vens.seq`,
    [now, MISSED_INTERVALS],
  );
  return rows.map((row) => ({
    subject: row.id,
    accountId: row.account_id,
    message:
      `${venName(row)} should poll every ${row.poll_interval_seconds} s and ` +
      `${row.last_poll_at === null ? "never has" : `has not since ${formatTimestamp(row.last_poll_at)}`}. ` +
      "It hears of no dispatch until it does: call the account, and check its VEN, its certificate and its network.",
  }));
};

interface UnacknowledgedRow extends VenFindingRow {
  readonly dispatch_id: string;
  readonly shown_modification: number;
  readonly modification_shown_at: Date;
}

/** Events that VENs were shown, of dispatches that still count, and did not answer in time. */
export const unacknowledgedEvents = async (db: Queryable, now: Date): Promise<Finding[]> => {
  const { rows } = await db.query<UnacknowledgedRow>(
    `select vens.id, ven_id, account_id, accounts.name as account_name, dispatch_id, shown_modification,
       modification_shown_at
     from dispatches join ven_events on dispatch_id = dispatches.id
     join vens on vens.id = ven join accounts on accounts.id = account_id
     where (end_time is null or end_time >= $1::timestamptz) and (authorized or changed_at >= $3) and not ${IS_SELF_MADE}
       and acknowledged_modification is distinct from shown_modification and modification_shown_at < $2
       and deleted_at is null and not disabled
     order by dispatch_id, vens.id`,
    [now, new Date(now.getTime() - ACKNOWLEDGE_MS), new Date(now.getTime() - LISTED_AFTER_END_MS)],
  );
  return rows.map((row) => ({
    subject: `${row.id} ${row.dispatch_id}`,
    accountId: row.account_id,
    message:
      `${venName(row)} was shown dispatch ${row.dispatch_id} (modification ${row.shown_modification}) at ` +
      `${formatTimestamp(row.modification_shown_at)} and has not acknowledged it. Call the account: it may not curtail.`,
  }));
};

const venName = (row: VenFindingRow): string => `VEN ${row.ven_id} (${row.id}) of account ${accountName(row)}`;
