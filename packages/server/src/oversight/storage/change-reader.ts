import { RECENT_DISPATCHES } from "../../dispatch/storage/dispatch-conditions.js";
import { camel } from "../../platform/database/camel.js";
import type { Row } from "../../platform/database/columns.js";
import type { Queryable } from "../../platform/database/database.js";
import type { ChangeReader } from "../operations/watch-changes.js";

type DispatchRow = Row<
  "dispatches",
  "id" | "modification_number" | "authorized" | "start_time" | "end_time" | "notification_time" | "changed_at"
> & { readonly account_ids: readonly string[] };

interface ProgressRow {
  readonly dispatch_id: string;
  readonly account_id: string | null;
  readonly mark: string;
}

/**
 * All rows that show deliveries and answers, with a text that differs for each state; found by the index on the
 * dispatch.
 */
const ITEMS = `
  select account_id, deliveries.id || state || failures || (resend_at is null) as item
  from deliveries join webhooks on webhooks.id = webhook_id where dispatch_id = recent.id
  union all select account_id, modification_number || how from dispatch_reads where dispatch_id = recent.id
  union all select account_id, modification_number || 'viewed' || user_id from dispatch_page_reads
    where dispatch_id = recent.id
  union all select account_id, mails.id || state || failures from mails where dispatch_id = recent.id
  union all select account_id, ven || 'notified' || modification_number from ven_notices join vens on vens.id = ven
    where dispatch_id = recent.id
  union all select account_id, ven || how || modification_number from ven_showings join vens on vens.id = ven
    where dispatch_id = recent.id
  union all select account_id, 'answer' || answers.seq from ven_acknowledgements as answers join vens on vens.id = ven
    where dispatch_id = recent.id
  union all select account_id, ven || 'omitted' || modification_number from ven_omissions join vens on vens.id = ven
    where dispatch_id = recent.id
  union all select account_id, 'phone' || phone_calls.seq from phone_calls where dispatch_id = recent.id
  union all select account_id, 'push' || pushes.seq from ven_push_attempts as pushes join vens on vens.id = ven
    where dispatch_id = recent.id
  union all select account_id, client_id || 'notified' || modification_number from openadr3_notices
    where dispatch_id = recent.id
  union all select account_id, deliveries.id || state || failures
    from openadr3_notices join openadr3_deliveries as deliveries using (change_seq, client_id) where dispatch_id = recent.id
  union all select account_id, client_id || 'polled' || modification_number
    from openadr3_showings join openadr3_clients on openadr3_clients.id = client_id where dispatch_id = recent.id
  union all select account_id, 'operated' || answers.seq
    from openadr3_answers as answers join openadr3_clients on openadr3_clients.id = client_id
    where dispatch_id = recent.id`;

/** Reads what changes are detected by: twice a second while anybody is watching. */
export const changeReader = (db: Queryable): ChangeReader => ({
  async dispatches(accountIds, since) {
    const { rows } = await db.query<DispatchRow>({
      name: "watched-dispatches",
      text: `select id, modification_number, authorized, start_time, end_time, notification_time, changed_at, array(
               select distinct account_id from dispatch_sites where dispatch_id = recent.id and account_id = any($1)
             ) as account_ids
             from (${RECENT_DISPATCHES}) as recent`,
      values: [accountIds, since],
    });
    return rows.map((row) => {
      const { startTime: start, endTime: end, notificationTime: notification, ...dispatch } = camel(row);
      return { ...dispatch, start, end, notification };
    });
  },
  async progress(accountIds, since) {
    const { rows } = await db.query<ProgressRow>({
      name: "watched-progress",
      text: `select recent.id as dispatch_id, case when account_id = any($1) then account_id end as account_id,
               count(*) || '.' || sum(hashtext(item)) as mark
             from (${RECENT_DISPATCHES}) as recent cross join lateral (${ITEMS}) as items
             group by 1, 2 order by 1, 2`,
      values: [accountIds, since],
    });
    return rows.map(camel);
  },
  async alarms() {
    // A new alarm raises the highest number; otherwise the sums of standing and of unacknowledged ones can only fall.
    const { rows } = await db.query<{ mark: string }>({
      name: "watched-alarms",
      text: `select concat_ws('.', (select max(seq) from alarms), sum(seq), sum(seq) filter (where acknowledged_at is null))
               as mark
             from alarms where cleared_at is null`,
    });
    return rows[0]?.mark ?? "";
  },
});
