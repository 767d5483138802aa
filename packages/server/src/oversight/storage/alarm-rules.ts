import { IS_NOT_OVER, IS_SELF_MADE } from "../../dispatch/storage/dispatch-conditions.js";
import { ALARMING_FAILURES } from "../../notification/domain/mail.js";
import { isPhoned } from "../../notification/storage/phone-call-store.js";
import { type AlarmKind, UNDELIVERED_MS } from "../../platform/alarm.js";
import type { Row } from "../../platform/database/columns.js";
import type { Queryable } from "../../platform/database/database.js";
import { type AccountRow, accountName, type Finding } from "../../platform/database/finding.js";
import { formatTimestamp } from "../../platform/timestamp.js";
import { staleTelemetry } from "../../telemetry/storage/stale-telemetry.js";
import { undecidedBatteries } from "./battery-findings.js";
import { expiringCertificates } from "./certificate-findings.js";
import { cutOff, openForLong } from "./dispatch-findings.js";
import { failedNotices } from "./failed-notices.js";
import { failingGateways } from "./gateway-findings.js";
import { endingHolidays } from "./holiday-findings.js";
import { clientErrors, clientOptOuts, silentClients, undeliveredCallbacks } from "./openadr-3-findings.js";
import { refusedContacts } from "./refused-contacts.js";
import { optOuts, silentVens, unacknowledgedEvents, venErrors } from "./ven-findings.js";

interface AlarmRule {
  readonly kind: AlarmKind;
  /** All current findings of this kind. */
  readonly find: (db: Queryable, now: Date) => Promise<readonly Finding[]>;
}

/** Every kind of alarm; none concerns participants' own tests (G47). The watch checks them in turn. */
export const alarmRules: readonly AlarmRule[] = [
  { kind: "notice_undelivered", find: (db, now) => undeliveredNotices(db, now) },
  { kind: "notice_failed", find: (db) => failedNotices(db) },
  { kind: "mail_stuck", find: (db) => stuckMails(db) },
  { kind: "contact_refused", find: (db) => refusedContacts(db) },
  { kind: "gateway_failing", find: (db) => failingGateways(db) },
  { kind: "last_webhook_deleted", find: (db, now) => accountsLeftWithoutWebhook(db, now) },
  { kind: "ven_silent", find: silentVens },
  { kind: "ven_unacknowledged", find: unacknowledgedEvents },
  { kind: "ven_error", find: async (db, now) => [...(await venErrors(db, now)), ...(await clientErrors(db, now))] },
  { kind: "ven_opted_out", find: async (db, now) => [...(await optOuts(db, now)), ...(await clientOptOuts(db, now))] },
  { kind: "openadr3_silent", find: silentClients },
  { kind: "openadr3_undelivered", find: undeliveredCallbacks },
  { kind: "certificate_expiring", find: expiringCertificates },
  { kind: "telemetry_stale", find: staleTelemetry },
  { kind: "dispatch_open_long", find: openForLong },
  { kind: "dispatched_cut_off", find: cutOff },
  { kind: "holidays_ending", find: endingHolidays },
  { kind: "battery_undecided", find: undecidedBatteries },
];

/** Notices due by $1 that are not sent yet: not expanded, or pending for a webhook. */
export const UNDELIVERED = `
  select dispatch_id, due_at, modification_number, null as webhook_id from notices where state = 'waiting' and due_at <= $1
  union all
  select deliveries.dispatch_id, due_at, modification_number, webhook_id from deliveries join notices on notices.seq = notice_seq
  where deliveries.state = 'pending' and due_at <= $1`;

type UndeliveredRow = Row<"notices", "dispatch_id" | "due_at"> & { readonly webhooks: number };

const undeliveredNotices = async (db: Queryable, now: Date): Promise<Finding[]> => {
  const { rows } = await db.query<UndeliveredRow>(
    `select dispatch_id, min(due_at) as due_at, count(distinct webhook_id) as webhooks
     from (${UNDELIVERED}) as undelivered join dispatches on dispatches.id = dispatch_id
     left join webhooks on webhooks.id = webhook_id
     where due_at < $2 and not ${IS_SELF_MADE}
       and not ${isPhoned("dispatch_id", "webhooks.account_id", "undelivered.modification_number")} group by dispatch_id order by dispatch_id`,
    [now, new Date(now.getTime() - UNDELIVERED_MS)],
  );
  return rows.map(({ dispatch_id, due_at, webhooks }) => ({
    subject: dispatch_id,
    accountId: null,
    message:
      `A notice of dispatch ${dispatch_id}, due at ${formatTimestamp(due_at)}, is not delivered yet` +
      (webhooks === 0
        ? ": no process has sent it. Check that a process with the role worker is running."
        : ` to ${webhooks} webhook${webhooks === 1 ? "" : "s"}. See \`curtail admin dispatches deliveries ${dispatch_id}\`` +
          " for which, and phone the accounts whose webhooks keep failing."),
  }));
};

type StuckMailRow = AccountRow & Row<"mails", "id" | "dispatch_id" | "event" | "failures" | "last_error">;

/**
 * Of accounts that were reached otherwise, or are within their deadline; the rest have their own alarm. It is over once
 * every delivery of the notice has succeeded, after a resend, or the account was phoned.
 */
const stuckMails = async (db: Queryable): Promise<Finding[]> => {
  const { rows } = await db.query<StuckMailRow>(
    `select mails.id, account_id, accounts.name as account_name, dispatch_id, event, failures, last_error
     from mails join accounts on accounts.id = account_id
     where not ${isPhoned("mails.dispatch_id", "mails.account_id", "(select modification_number from notices where seq = notice_seq)")}
       and state = 'waiting' and failures >= $1 and overdue_at is null and exists (
       select from deliveries join webhooks on webhooks.id = webhook_id
       where deliveries.dispatch_id = mails.dispatch_id and deliveries.notice_seq = mails.notice_seq
         and webhooks.account_id = mails.account_id and deliveries.state <> 'delivered')
     order by mails.seq`,
    [ALARMING_FAILURES],
  );
  return rows.map((row) => ({
    subject: row.id,
    accountId: row.account_id,
    message:
      `A mail that notifies account ${accountName(row)} of dispatch ${row.dispatch_id} (${row.event}) could not be sent; it failed ` +
      `${row.failures} times (${row.last_error}). Check CURTAIL_SMTP_URL and the mail server, and phone the account meanwhile.`,
  }));
};

type LeftRow = AccountRow & Row<"dispatch_sites", "dispatch_id"> & { readonly dispatches: number };

/** A webhook deleted before any notice is no problem: the dispatch must have been notified before the deletion. */
const accountsLeftWithoutWebhook = async (db: Queryable, now: Date): Promise<Finding[]> => {
  const { rows } = await db.query<LeftRow>(
    `with gone as (
       select account_id, max(deleted_at) as deleted_at from webhooks
       group by account_id having bool_and(deleted_at is not null)
     )
     select account_id, accounts.name as account_name, min(dispatch_id) as dispatch_id,
       count(distinct dispatch_id) as dispatches
     from gone join accounts on accounts.id = account_id join dispatch_sites using (account_id)
     join dispatches on dispatches.id = dispatch_id
     where not ${IS_SELF_MADE} and authorized and ${IS_NOT_OVER}
       and notification_time <= deleted_at and not disabled
     group by account_id, accounts.name order by account_id`,
    [now],
  );
  return rows.map((row) => ({
    subject: row.account_id,
    accountId: row.account_id,
    message:
      `Account ${accountName(row)} deleted its last webhook while it is part of dispatch ${row.dispatch_id}` +
      `${row.dispatches === 1 ? "" : ` and ${row.dispatches - 1} more`}: it learns of changes only by polling. ` +
      "Ask the account to register a webhook, or phone it when a dispatch changes.",
  }));
};
