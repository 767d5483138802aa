import { IS_REHEARSAL } from "../../../dispatch/storage/dispatch-conditions.js";
import { ALARMING_FAILURES } from "../../../notification/domain/mail.js";
import { IS_REFUSED } from "../../../notification/storage/mail-queue.js";
import { UNSETTLED } from "../../../notification/storage/owed-store.js";
import { type AlarmReason, UNDELIVERED_MS } from "../../../platform/alarm.js";
import { formatTimestamp } from "../../../platform/timestamp.js";
import { account, accountName, alarmRule, isPhoned, milliseconds } from "../alarm-rule.js";
import { count, type FactsOf, flag, oneOf, text, textOrNull, time } from "../facts.js";

const facts = {
  ...account,
  dispatch_id: text,
  event: text,
  state: oneOf("no_contacts", "kept", "expired", "waiting"),
  failures: count,
  last_error: textOrNull,
  is_refused: flag,
  /** null: the account has none. */
  contact_name: textOrNull,
  contact_email: textOrNull,
  contact_phone: textOrNull,
};
type Facts = FactsOf<typeof facts>;

/** Accounts that nothing reached in time, and whose email cannot be sent or keeps failing (G45). */
export const noticeFailed = alarmRule({
  kind: "notice_failed",
  find: `
    select messages.id as subject, messages.account_id, accounts.name as account_name, messages.subject as dispatch_id, event,
      case state when 'failed' then reason else 'waiting' end as state, failures, detail ->> 'error' as last_error,
      ${IS_REFUSED} as is_refused, contact.name as contact_name, contact.email as contact_email, contact.phone as contact_phone
    from ${UNSETTLED} join accounts on accounts.id = messages.account_id
    left join lateral (
      select name, email, phone from contacts
      where contacts.account_id = messages.account_id order by phone is null, seq limit 1
    ) as contact on true
    where state = 'failed' or failures >= ${ALARMING_FAILURES} or ${IS_REFUSED} order by messages.seq`,
  facts,
  message: (mail) =>
    `Account ${accountName(mail)} was not notified of dispatch ${mail.dispatch_id} (${mail.event}): no webhook, poll or VEN ` +
    `confirmed it in time, and no email was sent to its contacts: ${whyUnsent(mail)}. ${whatToDo(mail)}`,
  reason: ({ state, is_refused }) => (is_refused ? "bounced" : reasons[state]),
});

const reasons = {
  no_contacts: "no_channel",
  kept: "no_mail_server",
  expired: "not_taken",
  waiting: "failing",
} as const satisfies Readonly<Record<Facts["state"], AlarmReason>>;

const whyUnsent = ({ state, failures, last_error, is_refused }: Facts): string => {
  if (is_refused) return `the mail server refused every contact (${last_error}); correct an address`;
  switch (state) {
    case "no_contacts":
      return "it has no contact; add one with `curtail admin contacts add`";
    case "kept":
      return "there is no mail server; set CURTAIL_SMTP_URL";
    case "expired":
      return "the mail server did not accept the email for a day; check CURTAIL_SMTP_URL and the mail server";
    case "waiting":
      return `sending the email failed ${failures} times (${last_error}); check CURTAIL_SMTP_URL and the mail server`;
  }
};

const whatToDo = ({ contact_name, contact_email, contact_phone }: Facts): string =>
  contact_name === null
    ? "Phone the account, then acknowledge this alarm."
    : `Contact ${contact_name}, ${contact_phone ?? contact_email}, then acknowledge this alarm.`;

/** Notices due by $1 that are not sent yet: not expanded, or pending for a webhook. */
export const UNDELIVERED = `
  select dispatch_id, due_at, modification_number, null as webhook_id from notices where state = 'waiting' and due_at <= $1
  union all
  select subject, due_at, modification_number, recipient from messages join notices on notices.seq = notice_seq
  where channel = 'webhook' and messages.state = 'pending' and due_at <= $1`;

/** Notices that are due for a while, and not sent. */
export const noticeUndelivered = alarmRule({
  kind: "notice_undelivered",
  find: `
    select dispatch_id as subject, null as account_id, min(due_at) as due_at, count(distinct webhook_id) as webhooks
    from (${UNDELIVERED}) as undelivered join dispatches on dispatches.id = dispatch_id
    left join webhooks on webhooks.id = webhook_id
    where due_at < $1::timestamptz - ${milliseconds(UNDELIVERED_MS)} and not ${IS_REHEARSAL}
      and not ${isPhoned("dispatch_id", "webhooks.account_id", "undelivered.modification_number")}
    group by dispatch_id order by dispatch_id`,
  facts: { subject: text, due_at: time, webhooks: count },
  message: ({ subject, due_at, webhooks }) =>
    `A notice of dispatch ${subject}, due at ${formatTimestamp(due_at)}, is not delivered yet` +
    (webhooks === 0
      ? ": no process has sent it. Check that a process with the role worker is running."
      : ` to ${webhooks} webhook${webhooks === 1 ? "" : "s"}. See \`curtail admin dispatches deliveries ${subject}\`` +
        " for which, and phone the accounts whose webhooks keep failing."),
});
