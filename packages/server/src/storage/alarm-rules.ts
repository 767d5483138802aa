import { type AlarmKind, type Condition, UNDELIVERED_MS } from "../domain/alarm.js";
import { ALARMING_FAILURES } from "../domain/mail.js";
import { formatTimestamp } from "../domain/timestamp.js";
import type { WebhookEventName } from "../domain/webhook.js";
import type { Queryable } from "./database.js";

type Found = Omit<Condition, "kind">;

interface AlarmRule {
  readonly kind: AlarmKind;
  /** Everything of this kind that is wrong now. */
  readonly find: (db: Queryable, now: Date) => Promise<readonly Found[]>;
}

/** Every kind of alarm; the watch goes through them in turn. */
export const alarmRules: readonly AlarmRule[] = [
  { kind: "notice_undelivered", find: (db, now) => undeliveredNotices(db, now) },
  { kind: "notice_failed", find: (db, now) => failedNotices(db, now) },
  { kind: "mail_stuck", find: (db) => stuckMails(db) },
  { kind: "last_webhook_deleted", find: (db, now) => accountsLeftWithoutWebhook(db, now) },
];

/** Every notice due by $1 that somebody still waits for: not sent out, or on its way to a webhook. */
export const UNDELIVERED = `
  select dispatch_id, due_at, null as webhook_id from notices where state = 'waiting' and due_at <= $1
  union all
  select deliveries.dispatch_id, due_at, webhook_id from deliveries join notices on notices.seq = notice_seq
  where deliveries.state = 'pending' and due_at <= $1`;

interface UndeliveredRow {
  readonly dispatch_id: string;
  readonly due_at: Date;
  readonly webhooks: number;
}

const undeliveredNotices = async (db: Queryable, now: Date): Promise<Found[]> => {
  const { rows } = await db.query<UndeliveredRow>(
    `select dispatch_id, min(due_at) as due_at, count(distinct webhook_id) as webhooks
     from (${UNDELIVERED}) as undelivered where due_at < $2 group by dispatch_id order by dispatch_id`,
    [now, new Date(now.getTime() - UNDELIVERED_MS)],
  );
  return rows.map(({ dispatch_id, due_at, webhooks }) => ({
    subject: dispatch_id,
    accountId: null,
    message:
      `A notice of dispatch ${dispatch_id}, due at ${formatTimestamp(due_at)}, is not delivered yet` +
      (webhooks === 0
        ? ": no process has sent it out. Check that one with the role worker is running."
        : ` to ${webhooks} webhook${webhooks === 1 ? "" : "s"}. See \`curtail admin dispatches deliveries ${dispatch_id}\`` +
          " for which, and call the accounts whose webhooks keep failing."),
  }));
};

interface MailRow {
  readonly id: string;
  readonly account_id: string;
  readonly account_name: string;
  readonly dispatch_id: string;
  readonly event: WebhookEventName;
}

interface UnsentMailRow extends MailRow {
  readonly state: "no_contacts" | "kept" | "expired";
}

const whyUnsent: Readonly<Record<UnsentMailRow["state"], string>> = {
  no_contacts: "it has no contacts to mail; add one with `curtail admin contacts add`",
  kept: "there is no mail server; set CURTAIL_SMTP_URL",
  expired: "the mail server did not take its mail for a day; check CURTAIL_SMTP_URL and the mail server",
};

/**
 * Accounts that a notice never reached. There is a mail wherever a delivery failed for good, apart from participants'
 * own tests; one that went to nobody is decided on when no webhook of its account can take the notice any more.
 */
const failedNotices = async (db: Queryable, now: Date): Promise<Found[]> => {
  // `hopeful` is made once for all mails: looked up for each, a dispatch of 10,000 accounts compared all with all.
  const { rows } = await db.query<UnsentMailRow>(
    `with unsent as materialized (
       select id, account_id, notice_seq, dispatch_id from mails
       where judged_at is null and state in ('no_contacts', 'kept', 'expired')
     ), hopeful as materialized (
       select account_id, notice_seq, bool_or(deliveries.state = 'pending') as is_pending from deliveries
       join webhooks on webhooks.id = webhook_id
       where dispatch_id in (select dispatch_id from unsent) and deliveries.state in ('pending', 'delivered')
       group by account_id, notice_seq
     ), decided as (
       update mails set judged_at = $1 from unsent left join hopeful using (account_id, notice_seq)
       where mails.id = unsent.id and is_pending is not true
       returning mails.*, is_pending is null as is_untold
     )
     select decided.id, account_id, accounts.name as account_name, dispatch_id, event, state
     from decided join accounts on accounts.id = account_id where is_untold order by decided.seq`,
    [now],
  );
  return rows.map((row) => ({
    subject: row.id,
    accountId: row.account_id,
    message:
      `Account ${nameOf(row)} was told of dispatch ${row.dispatch_id} (${row.event}) neither by webhook nor by mail: ` +
      `every attempt failed, and ${whyUnsent[row.state]}. Call the account, then acknowledge this alarm.`,
  }));
};

interface StuckMailRow extends MailRow {
  readonly failures: number;
  readonly last_error: string | null;
}

const stuckMails = async (db: Queryable): Promise<Found[]> => {
  const { rows } = await db.query<StuckMailRow>(
    `select mails.id, account_id, accounts.name as account_name, dispatch_id, event, failures, last_error
     from mails join accounts on accounts.id = account_id
     where state = 'waiting' and failures >= $1 order by mails.seq`,
    [ALARMING_FAILURES],
  );
  return rows.map((row) => ({
    subject: row.id,
    accountId: row.account_id,
    message:
      `A mail that tells account ${nameOf(row)} of dispatch ${row.dispatch_id} (${row.event}) could not be handed over ` +
      `${row.failures} times (${row.last_error}). Check CURTAIL_SMTP_URL and the mail server, and call the account meanwhile.`,
  }));
};

interface LeftRow {
  readonly account_id: string;
  readonly account_name: string;
  readonly dispatch_id: string;
  readonly dispatches: number;
}

/** A webhook deleted when no dispatch was known leaves nobody waiting: the dispatch was told before the deletion. */
const accountsLeftWithoutWebhook = async (db: Queryable, now: Date): Promise<Found[]> => {
  const { rows } = await db.query<LeftRow>(
    `with gone as (
       select account_id, max(deleted_at) as deleted_at from webhooks
       group by account_id having bool_and(deleted_at is not null)
     )
     select account_id, accounts.name as account_name, min(dispatch_id) as dispatch_id,
       count(distinct dispatch_id) as dispatches
     from gone join accounts on accounts.id = account_id join dispatch_sites using (account_id)
     join dispatches on dispatches.id = dispatch_id
     where authorized and (end_time is null or end_time >= $1) and notification_time <= deleted_at
     group by account_id, accounts.name order by account_id`,
    [now],
  );
  return rows.map((row) => ({
    subject: row.account_id,
    accountId: row.account_id,
    message:
      `Account ${nameOf(row)} deleted its last webhook while it is called on by dispatch ${row.dispatch_id}` +
      `${row.dispatches === 1 ? "" : ` and ${row.dispatches - 1} more`}: it hears of changes only if it polls. ` +
      "Ask it to register a webhook, or call it when a dispatch changes.",
  }));
};

const nameOf = (row: { readonly account_id: string; readonly account_name: string }): string =>
  `${row.account_name} (${row.account_id})`;
