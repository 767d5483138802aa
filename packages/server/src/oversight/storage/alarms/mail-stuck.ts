import { ALARMING_FAILURES } from "../../../notification/domain/mail.js";
import { IS_MAIL } from "../../../notification/storage/mail-queue.js";
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
    select mail.id as subject, account_id, accounts.name as account_name, mail.subject as dispatch_id, event, failures,
      detail ->> 'error' as last_error
    from messages as mail join accounts on accounts.id = account_id
    where mail.${IS_MAIL} and state = 'pending' and not behind and modification is null and failures >= ${ALARMING_FAILURES}
      and not ${isPhoned("mail.subject", "mail.account_id", "(select modification_number from notices where seq = notice_seq)")}
      and not exists (select from escalations where message_id = mail.id) and exists (
      select from messages join webhooks on webhooks.id = recipient
      where messages.subject = mail.subject and messages.notice_seq = mail.notice_seq
        and webhooks.account_id = mail.account_id and messages.state <> 'delivered')
    order by mail.seq`,
  facts: { ...account, dispatch_id: text, event: text, failures: count, last_error: textOrNull },
  message: (mail) =>
    `A mail that notifies account ${accountName(mail)} of dispatch ${mail.dispatch_id} (${mail.event}) could not be sent; it failed ` +
    `${mail.failures} times (${mail.last_error}). Check CURTAIL_SMTP_URL and the mail server, and phone the account meanwhile.`,
});
