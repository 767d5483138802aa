import type pg from "pg";
import { IS_SELF_MADE } from "../../dispatch/storage/dispatch-conditions.js";
import { takeTurn } from "../../platform/database/advisory-locks.js";
import { type RowOf, selection } from "../../platform/database/columns.js";
import { inTransaction, type Queryable } from "../../platform/database/database.js";
import { type DueWork, IS_UNLEASED } from "../../platform/database/due-work.js";
import { type ClaimedPhoneMessage, MAX_MESSAGES_AN_HOUR } from "../domain/phone-message.js";
import type { PhoneClaim, PhoneMessages, PhoneQueue } from "../operations/send-phone-messages.js";
import { waitsSince } from "./delivery-release.js";

const messageRow = selection("phone_messages", [
  "id",
  "account_id",
  "dispatch_id",
  "event",
  "channel",
  "phone",
  "failures",
]);
type MessageRow = RowOf<typeof messageRow> & { readonly waits_since: Date };

export const phoneQueue = (pool: pg.Pool): PhoneQueue => ({
  claim: (claim) =>
    inTransaction(pool, async (client) => {
      // One worker at a time, which sees what the previous one claimed: one message per phone is in flight.
      if (!(await takeTurn(client, "phoneMessages"))) return [];
      await dropNeedless(client, claim);
      return claim.limit === 0 ? [] : claimDue(client, claim);
    }),
  async record({ id, leasedUntil }, outcome) {
    const { state } = outcome;
    const isSent = state === "sent";
    const error = isSent ? null : outcome.error;
    await pool.query({
      name: "record-phone-message",
      text: `update phone_messages
             set state = $2, next_attempt_at = $3, sent_at = $4, given_up_at = $5, gateway_id = $6,
               carried_modification = $7, failures = failures + $8, last_error = coalesce($9, last_error),
               leased_until = null, text = $11
             where id = $1 and state = 'waiting' and (leased_until = $10 or $2 = 'sent')`,
      values: [
        id,
        state,
        state === "waiting" ? outcome.nextAttemptAt : null,
        isSent ? outcome.at : null,
        state === "refused" || state === "expired" ? outcome.at : null,
        isSent ? outcome.gatewayId : null,
        isSent ? outcome.modificationNumber : null,
        error === null ? 0 : 1,
        error,
        leasedUntil,
        isSent ? outcome.text : null,
      ],
    });
  },
});

/** Due by $1, and under no lease that ends after $2. */
const IS_FREE = "state = 'waiting' and next_attempt_at <= $1 and (leased_until is null or leased_until <= $2)";

/** The next message that waits. */
export const duePhoneMessages: DueWork = {
  name: "phone messages",
  next: `select next_attempt_at from phone_messages where state = 'waiting' and ${IS_UNLEASED} order by next_attempt_at limit 1`,
};

/** Accounts that are disabled (G50) and participants' own tests get none. */
export const phoneMessages = (db: Queryable): PhoneMessages => ({
  async ofNotices(seqs, { at, channels }) {
    if (seqs.length === 0 || channels.length === 0) return;
    await db.query({
      name: "make-phone-messages",
      text: `insert into phone_messages (id, account_id, notice_seq, dispatch_id, event, channel, contact_id, name, phone,
               next_attempt_at, created_at)
             select 'msg_' || replace(gen_random_uuid()::text, '-', ''), contacts.account_id, due.seq, dispatch_id, event,
               channel, contacts.id, contacts.name, '+' || regexp_replace(phone, '\\D', '', 'g'), $1, $1
             from notices as due
             join dispatches on dispatches.id = dispatch_id and not (${IS_SELF_MADE})
             join lateral (select distinct account_id from dispatch_sites where dispatch_id = due.dispatch_id) as called on true
             join contacts on contacts.account_id = called.account_id and phone is not null
             join unnest($2::text[]) as channel on (channel = 'sms' and sms) or (channel = 'voice' and voice)
             where due.seq = any($3) and due.state <> 'dropped' and called.account_id not in (select id from accounts where disabled)
             order by due.seq, contacts.seq
             on conflict (notice_seq, contact_id, channel) do nothing`,
      values: [at, channels, seqs],
    });
  },
});

/** A later message to the phone about the dispatch says more, or one already sent said the same; or it is disabled. */
const IS_NEEDLESS = `(
  exists (select from accounts where accounts.id = phone_messages.account_id and disabled)
  or exists (
    select from phone_messages as other
    where other.dispatch_id = phone_messages.dispatch_id and other.account_id = phone_messages.account_id
      and other.phone = phone_messages.phone and other.channel = phone_messages.channel and (
        other.notice_seq > phone_messages.notice_seq
        or other.notice_seq = phone_messages.notice_seq and other.seq < phone_messages.seq
        or other.carried_modification >= (
          select modification_number from notices where seq = phone_messages.notice_seq))))`;

const MOST_AT_ONCE = 1000;

const dropNeedless = (db: Queryable, { now, lapsedBefore }: PhoneClaim) =>
  db.query({
    name: "drop-phone-messages",
    text: `update phone_messages set state = 'dropped', next_attempt_at = null, leased_until = null
           where id in (
             select id from phone_messages
             where id in (
               select id from phone_messages where ${IS_FREE} order by next_attempt_at limit ${MOST_AT_ONCE})
               and ${IS_FREE} and ${IS_NEEDLESS}
             order by seq for update)`,
    values: [now, lapsedBefore],
  });

/** One at a time to a phone, and no more than the limit of an hour. */
const claimDue = async (
  db: Queryable,
  { now, leasedUntil, lapsedBefore, limit }: PhoneClaim,
): Promise<ClaimedPhoneMessage[]> => {
  const { rows } = await db.query<MessageRow>({
    name: "claim-phone-messages",
    text: `with next as (
             select distinct on (phone, channel) id from phone_messages
             where ${IS_FREE} and not ${IS_NEEDLESS} and not exists (
               select from phone_messages as other
               where other.phone = phone_messages.phone and other.channel = phone_messages.channel
                 and other.state = 'waiting' and other.leased_until > $2)
               and (
                 select count(*) from phone_messages as other
                 where other.phone = phone_messages.phone and other.channel = phone_messages.channel
                   and other.state = 'sent' and other.sent_at > $1::timestamptz - interval '1 hour'
               ) < ${MAX_MESSAGES_AN_HOUR}
             order by phone, channel, next_attempt_at, seq
           ), claimed as (
             -- Asked again of the locked row: it may have been recorded meanwhile.
             select id from phone_messages where id in (select id from next) and ${IS_FREE}
             order by next_attempt_at, seq limit $3 for update skip locked
           )
           update phone_messages set leased_until = $4 where id in (select id from claimed)
           returning ${messageRow.columns}, ${waitsSince("created_at")} as waits_since`,
    values: [now, lapsedBefore, limit, leasedUntil],
  });
  return rows.map(({ waits_since, ...row }) => ({ ...messageRow.camel(row), createdAt: waits_since, leasedUntil }));
};
