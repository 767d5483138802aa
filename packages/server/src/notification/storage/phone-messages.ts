import { IS_SELF_MADE } from "../../dispatch/storage/dispatch-conditions.js";
import { type MailboxChannel, messageProgress } from "../../dispatch/storage/mailbox.js";
import { appended } from "../../platform/database/commits.js";
import type { Queryable } from "../../platform/database/database.js";
import { type ClaimedPhoneMessage, MAX_MESSAGES_AN_HOUR, phoneChannels } from "../domain/phone-message.js";
import type { PhoneMessages } from "../operations/send-phone-messages.js";
import { waitsSince } from "./delivery-release.js";

/** Condition on a message: to a phone. */
export const IS_TO_PHONE = "channel in ('sms', 'voice')";

const IS_SAME_PLACE = `other.recipient = due.recipient and other.channel = due.channel and other.${IS_TO_PHONE}`;

/** A contact that was removed meanwhile chose nothing. */
const LANGUAGE = `(
  select json_build_object('own', contacts.language, 'account', accounts.language)
  from accounts left join contacts on contacts.id = messages.detail ->> 'contactId' where accounts.id = messages.account_id)`;

/** One at a time to a phone, and no more than the limit of an hour. */
export const phoneChannel: MailboxChannel<ClaimedPhoneMessage> = {
  name: "phone-messages",
  channels: phoneChannels,
  lock: "phoneMessages",
  order: "next_attempt_at, seq",
  perRecipient: 1,
  // A later message to the phone about the dispatch says more, or one already sent said the same; or the account is disabled.
  isNeedless: `(
    exists (select from accounts where accounts.id = due.account_id and disabled)
    or exists (
      select from messages as other
      where other.subject = due.subject and other.account_id = due.account_id and ${IS_SAME_PLACE} and (
        other.notice_seq > due.notice_seq
        or other.notice_seq = due.notice_seq and other.seq < due.seq
        or other.modification >= (select modification_number from notices where seq = due.notice_seq))))`,
  isHeld: `(
    select count(*) from messages as other
    where ${IS_SAME_PLACE} and other.state = 'delivered' and other.ended_at > $1::timestamptz - interval '1 hour'
  ) >= ${MAX_MESSAGES_AN_HOUR}`,
  waitsSince: waitsSince("created_at"),
  about: LANGUAGE,
  // Whatever it makes is to an account's contacts.
  claimedOf: (message) => ({ ...message, language: message.about }) as ClaimedPhoneMessage,
};

/** Accounts that are disabled (G50) and participants' own tests get none. */
export const phoneMessages = (db: Queryable): PhoneMessages => ({
  async ofNotices(seqs, { at, channels }) {
    if (seqs.length === 0 || channels.length === 0) return;
    const { rowCount } = await db.query({
      name: "make-phone-messages",
      text: `with made as (
               insert into messages (id, channel, recipient, account_id, notice_seq, subject, event, detail, next_attempt_at, created_at)
               select 'msg_' || replace(gen_random_uuid()::text, '-', ''), channel, '+' || regexp_replace(phone, '\\D', '', 'g'),
                 contacts.account_id, due.seq, dispatch_id, event, jsonb_build_object('contactId', contacts.id, 'name', contacts.name), $1, $1
               from notices as due
               join dispatches on dispatches.id = dispatch_id and not (${IS_SELF_MADE})
               join lateral (select distinct account_id from dispatch_sites where dispatch_id = due.dispatch_id) as called on true
               join contacts on contacts.account_id = called.account_id and phone is not null
               join unnest($2::text[]) as channel on (channel = 'sms' and sms) or (channel = 'voice' and voice)
               where due.seq = any($3) and due.state <> 'dropped' and called.account_id not in (select id from accounts where disabled)
               order by due.seq, contacts.seq
               on conflict (notice_seq, channel, (detail ->> 'contactId')) where ${IS_TO_PHONE} do nothing
               returning subject, account_id, event
             )
             ${messageProgress("made", "$1")}`,
      values: [at, channels, seqs],
    });
    if (rowCount !== 0) appended(db, "progress");
  },
});
