import { ALARMING_FAILURES } from "../../../notification/domain/mail.js";
import { IS_MAIL } from "../../../notification/storage/mail-queue.js";
import { successesOf } from "../../../notification/storage/owed-store.js";
import { quote } from "../../../platform/quote.js";
import { account, accountName, alarmRule, isPhoned } from "../alarm-rule.js";
import { count, oneOf, text, textOrNull } from "../facts.js";

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
    `An email that notifies account ${accountName(mail)} of dispatch ${mail.dispatch_id} (${mail.event}) could not be sent; it failed ` +
    `${mail.failures} times (${mail.last_error}). Check CURTAIL_SMTP_URL and the mail server, and phone the account meanwhile.`,
});

const answer = oneOf("refused", "deferred");

/** By the latest refusal of each; not yet whether the account was notified otherwise. */
const REFUSED = `
  select distinct on (contacts.id) contacts.id, contacts.name, contacts.email, phone, contacts.account_id,
    accounts.name as account_name, messages.subject as dispatch_id, answer, reply, handovers.at
  from mail_recipients as refused join messages on messages.id = mail_id
  join mail_handovers as handovers using (mail_id, number)
  join contacts on contacts.account_id = messages.account_id and lower(contacts.email) = lower(refused.email)
  join accounts on accounts.id = contacts.account_id and not disabled
  where (answer = 'refused' or answer = 'deferred' and failures >= ${ALARMING_FAILURES}) and not exists (
    select from mail_recipients as later join mail_handovers as taken using (mail_id, number)
    where lower(later.email) = lower(refused.email) and later.answer = 'accepted' and taken.at >= handovers.at)
  order by contacts.id, handovers.at desc`;

/**
 * Contacts that the mail server refused, for good or again and again (G62): until the address is corrected, it takes an
 * email for it, or the account was notified of the dispatch otherwise.
 */
export const contactRefused = alarmRule({
  kind: "contact_refused",
  find: `
    with refused as materialized (${REFUSED}), notified as materialized (
      select dispatch_id, account_id, max(at) as at
      from (${successesOf("array(select dispatch_id from refused)")}) as success group by dispatch_id, account_id
    )
    select id as subject, account_id, account_name, name, email, phone, answer, reply
    from refused left join notified using (dispatch_id, account_id)
    where coalesce(notified.at, refused.at) <= refused.at order by id`,
  when: `select count(*) as contacts from (${REFUSED}) as refused having count(*) > 0`,
  facts: {
    ...account,
    name: text,
    email: text,
    phone: textOrNull,
    answer,
    reply: textOrNull,
  },
  message: (contact) =>
    `The mail server ${contact.answer === "refused" ? "refused" : "keeps deferring"} email for contact ${quote(contact.name)} ` +
    `<${quote(contact.email)}> of account ${accountName(contact)}: ${quote(contact.reply ?? "no reason")}. Correct the address, and ` +
    `${contact.phone === null ? "reach the contact another way" : `phone ${contact.phone}`} meanwhile.`,
  reason: (contact) => (contact.answer === "refused" ? "bounced" : "deferred"),
});
