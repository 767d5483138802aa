import { ALARMING_FAILURES } from "../../../notification/domain/mail.js";
import { isPhoned } from "../../../notification/storage/phone-call-store.js";
import { account, accountName, alarmRule } from "../alarm-rule.js";
import { count, text, textOrNull } from "../facts.js";

/**
 * Of accounts that were reached otherwise, or are within their deadline; the rest have their own alarm. It is over once
 * every delivery of the notice has succeeded, after a resend, or the account was phoned.
 */
export const mailStuck = alarmRule({
  kind: "mail_stuck",
  find: `
    select mails.id as subject, account_id, accounts.name as account_name, dispatch_id, event, failures, last_error
    from mails join accounts on accounts.id = account_id
    where not ${isPhoned("mails.dispatch_id", "mails.account_id", "(select modification_number from notices where seq = notice_seq)")}
      and state = 'waiting' and failures >= ${ALARMING_FAILURES} and overdue_at is null and exists (
      select from messages join webhooks on webhooks.id = recipient
      where messages.subject = mails.dispatch_id and messages.notice_seq = mails.notice_seq
        and webhooks.account_id = mails.account_id and messages.state <> 'delivered')
    order by mails.seq`,
  facts: { ...account, dispatch_id: text, event: text, failures: count, last_error: textOrNull },
  message: (mail) =>
    `A mail that notifies account ${accountName(mail)} of dispatch ${mail.dispatch_id} (${mail.event}) could not be sent; it failed ` +
    `${mail.failures} times (${mail.last_error}). Check CURTAIL_SMTP_URL and the mail server, and phone the account meanwhile.`,
});
