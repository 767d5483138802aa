import type { ClaimedMessage } from "../../dispatch/domain/message.js";
import { IS_SELF_MADE } from "../../dispatch/storage/dispatch-conditions.js";
import { type MailboxChannel, messageProgress } from "../../dispatch/storage/mailbox.js";
import { type AddressedChannel, addressedChannels } from "../../platform/channel.js";
import { appended } from "../../platform/database/commits.js";
import type { Queryable } from "../../platform/database/database.js";
import { addressPlace, type SecretBox, UnreadableSecret } from "../../platform/secret-box.js";
import type { AddressTarget, ClaimedAddressedMessage } from "../domain/channel-address.js";
import { ALARMING_HANDOVERS } from "../domain/handover.js";
import type { AddressedMessages } from "../operations/send-addressed-messages.js";
import { waitsSince } from "./delivery-release.js";

/** Condition on a message: to an address of an account. Of such a recipient the index knows which notices it has. */
export const IS_ADDRESSED = `channel in (${addressedChannels.map((name) => `'${name}'`).join(", ")})`;
const IS_TO_ADDRESS = "starts_with(recipient, 'adr_')";

interface About extends Pick<AddressTarget, "form"> {
  readonly address: string | null;
  readonly language: string | null;
}

const ABOUT = `(
  select json_build_object('address', address, 'form', form, 'language', accounts.language)
  from channel_addresses join accounts on accounts.id = account_id where channel_addresses.id = messages.recipient)`;

const IS_DISABLED = "exists (select from accounts where accounts.id = due.account_id and disabled)";
const IS_REMOVED =
  "not exists (select from channel_addresses as addresses where addresses.id = due.recipient and addresses.deleted_at is null)";

/** How its last message went. What is given up is alarming, however often it was tried. */
const NOTED = `noted as (
    update channel_addresses as addresses
    set failures = case recorded.state when 'delivered' then 0 when 'failed' then greatest(addresses.failures + 1, ${ALARMING_HANDOVERS})
        else addresses.failures + 1 end,
      last_error = case recorded.state when 'delivered' then null else recorded.detail ->> 'error' end,
      last_success_at = case recorded.state when 'delivered' then recorded.ended_at else last_success_at end
    from recorded where addresses.id = recorded.recipient
  )`;

/** Twice what is sent at the same time. */
const LOOKED_AT = 2048;

/** One at a time to an address. */
export const addressedChannel = (
  name: AddressedChannel,
  secrets: SecretBox,
): MailboxChannel<ClaimedAddressedMessage> => ({
  name: `${name}-messages`,
  channels: [name],
  order: "next_attempt_at, seq",
  looksAt: LOOKED_AT,
  perRecipient: 1,
  // A later message to the address about the dispatch says more, or one already sent said the same.
  isNeedless: `(${IS_DISABLED} or ${IS_REMOVED} or exists (
      select from messages as other
      where other.subject = due.subject and other.account_id = due.account_id and other.recipient = due.recipient and other.${IS_ADDRESSED} and (
        other.notice_seq > due.notice_seq
        or other.modification >= (select modification_number from notices where seq = due.notice_seq))))`,
  reason: `case when ${IS_DISABLED} then 'account_disabled' when ${IS_REMOVED} then 'address_deleted' end`,
  isHeld: "false",
  waitsSince: waitsSince("created_at"),
  about: ABOUT,
  evident: "true",
  beside: NOTED,
  claimedOf: (message) => claimedOf(message, secrets),
});

const claimedOf = (message: ClaimedMessage, secrets: SecretBox): ClaimedAddressedMessage => ({
  // Whatever it makes is to an account's addresses.
  ...(message as Omit<ClaimedAddressedMessage, "target" | "accountLanguage">),
  accountLanguage: (message.about as About).language,
  target: targetOf(message, secrets),
});

/** One that cannot be decrypted must not hold up those to others. */
const targetOf = ({ recipient, about }: ClaimedMessage, secrets: SecretBox): AddressTarget | null => {
  const { address, form } = about as About;
  try {
    return address === null ? null : { address: secrets.open(address, addressPlace(recipient)), form };
  } catch (error) {
    if (error instanceof UnreadableSecret) return null;
    throw error;
  }
};

/** Accounts that are disabled (G50) and participants' own tests get none. */
export const addressedMessages = (db: Queryable): AddressedMessages => ({
  async ofNotices(seqs, at) {
    if (seqs.length === 0) return;
    const { rowCount } = await db.query({
      name: "make-addressed-messages",
      text: `with made as (
               insert into messages (id, channel, recipient, account_id, notice_seq, subject, event, detail, next_attempt_at, created_at)
               select 'msg_' || replace(gen_random_uuid()::text, '-', ''), channel, addresses.id, addresses.account_id, due.seq,
                 dispatch_id, event, jsonb_build_object('name', addresses.name), $1, $1
               from notices as due
               join dispatches on dispatches.id = dispatch_id and not (${IS_SELF_MADE})
               join lateral (select distinct account_id from dispatch_sites where dispatch_id = due.dispatch_id) as called on true
               join channel_addresses as addresses on addresses.account_id = called.account_id and deleted_at is null
               where due.seq = any($2) and due.state <> 'dropped' and called.account_id not in (select id from accounts where disabled)
               order by due.seq, addresses.seq
               on conflict (notice_seq, recipient) where ${IS_TO_ADDRESS} do nothing
               returning subject, account_id, event
             )
             ${messageProgress("made", "$1")}`,
      values: [at, seqs],
    });
    if (rowCount !== 0) appended(db, "progress");
  },
});
