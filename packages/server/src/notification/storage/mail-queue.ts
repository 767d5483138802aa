import type { MailboxChannel } from "../../dispatch/storage/mailbox.js";
import { jsonMembers } from "../../platform/database/json-members.js";
import type { ClaimedMail } from "../domain/mail.js";
import { waitsSince } from "./delivery-release.js";

/** Condition on a message: to the contacts of an account, which is its recipient. */
export const IS_MAIL = "channel = 'email'";

/** To insert new ones: the columns, and the values of the first of them; what follows is the account, twice. */
export const MAIL_COLUMNS =
  "id, channel, detail, recipient, account_id, notice_seq, subject, event, next_attempt_at, created_at";
export const NEW_MAIL = "'mail_' || replace(gen_random_uuid()::text, '-', ''), 'email', '{}'::jsonb";

/** Condition on a contact: none of these answers was given for it. By address, so a corrected one is new. */
const isWithout = (
  mail: string,
  answers: string,
): string => `contacts.account_id = ${mail}.account_id and lower(contacts.email) not in (
  select lower(email) from mail_recipients where mail_id = ${mail}.id and answer in (${answers}))`;

/** Condition on a contact: it neither has the mail nor was refused for good. */
const isLeft = (mail: string): string => isWithout(mail, "'accepted', 'refused'");

/** Condition on `messages`: a mail that the mail server refused for good for each contact, and that waits for a corrected one. */
export const IS_REFUSED = `(messages.state = 'pending' and messages.modification is null
  and exists (select from mail_recipients where mail_id = messages.id)
  and not exists (select from contacts where ${isLeft("messages")}))`;

const OTHER = `from messages as other where other.subject = due.subject and other.account_id = due.account_id and other.${IS_MAIL}`;

/**
 * A later mail of the account and dispatch says more, or one already sent said the same; or the account is disabled. Of one
 * that some contacts have, all have it, or it is too old.
 */
const IS_NEEDLESS = `(
  exists (select from accounts where accounts.id = due.account_id and disabled)
  or exists (select ${OTHER} and other.notice_seq > due.notice_seq)
  or case when due.modification is null
    then exists (select ${OTHER} and other.modification >= (select modification_number from notices where seq = due.notice_seq))
    else ${waitsSince("due.created_at")} <= $1::timestamptz - interval '1 day'
      or not exists (select from contacts where ${isWithout("due", "'accepted'")}) end)`;

type About = Pick<ClaimedMail, "contacts" | "recipients" | "accountLanguage" | "isSent">;

const recipientMembers = jsonMembers("contacts", { name: "name", email: "email", language: "language" });
const contactsWhere = (condition: string): string =>
  `(select coalesce(json_agg(json_build_object(${recipientMembers.sql}) order by seq), '[]') from contacts where ${condition})`;

const hasContacts = (mail: string): string =>
  `exists (select from contacts where contacts.account_id = ${mail}.account_id)`;

/** What was handed over, and the answer for each recipient. */
const HANDOVERS = `handed as (
    insert into mail_handovers (mail_id, number, at, modification_number, subject, text)
    select id, place + (select count(*) from mail_handovers where mail_id = id), at, (handover -> 'modificationNumber')::int,
      handover ->> 'subject', handover ->> 'text'
    from recorded join given using (id) cross join jsonb_array_elements(evidence -> 'handovers') with ordinality as one (handover, place)
    where evidence is not null returning mail_id, number
  ), answered as (
    insert into mail_recipients (mail_id, number, email, name, answer, reply)
    select mail_id, number, email, name, answer, reply
    from handed join given on given.id = mail_id
    cross join jsonb_array_elements(evidence -> 'handovers') with ordinality as handovers (handover, place)
    cross join jsonb_to_recordset(handover -> 'recipients') as one (email text, name text, answer text, reply text)
    where number = place + (select count(*) from mail_handovers where mail_handovers.mail_id = handed.mail_id)
    on conflict do nothing
  )`;

/** The most that one look judges; a thousand take a few milliseconds. */
const MOST_AT_ONCE = 1000;

/** One mail per account and dispatch is in flight. Without a mail server, what nobody has yet is kept. */
export const mailChannel = ({ hasServer }: { readonly hasServer: boolean }): MailboxChannel<ClaimedMail> => ({
  name: "mails",
  channels: ["email"],
  lock: "mails",
  // The alarms of those without contacts must not wait for other mails.
  order: `${hasContacts("due")}, next_attempt_at`,
  looksAt: MOST_AT_ONCE,
  isNeedless: IS_NEEDLESS,
  unsendable: `case when due.modification is null
    then case when not ${hasContacts("due")} then 'no_contacts'${hasServer ? "" : " else 'kept'"} end end`,
  isHeld: `exists (select ${OTHER} and other.state = 'pending' and other.leased_until > $2)`,
  waitsSince: waitsSince("created_at"),
  about: `json_build_object('contacts', ${contactsWhere("contacts.account_id = messages.account_id")},
    'recipients', ${contactsWhere(isLeft("messages"))},
    'accountLanguage', (select language from accounts where accounts.id = messages.account_id), 'isSent', modification is not null)`,
  beside: HANDOVERS,
  // Whatever it makes is to an account's contacts.
  claimedOf: (message) => ({ ...message, ...(message.about as About) }) as ClaimedMail,
});
