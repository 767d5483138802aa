import type pg from "pg";
import { progressIn } from "../../dispatch/storage/progress.js";
import { takeTurn } from "../../platform/database/advisory-locks.js";
import { camel } from "../../platform/database/camel.js";
import type { Row } from "../../platform/database/columns.js";
import { appended } from "../../platform/database/commits.js";
import { inTransaction, type Queryable } from "../../platform/database/database.js";
import { type DueWork, IS_UNLEASED } from "../../platform/database/due-work.js";
import { type JsonOf, jsonMembers } from "../../platform/database/json-members.js";
import { valuesOf } from "../../platform/database/values-of.js";
import { type ClaimedMail, type MailHandover, refusedOf, type UnsendableMail } from "../domain/mail.js";
import type { MailClaim, MailQueue } from "../operations/send-mails.js";
import { waitsSince } from "./delivery-release.js";

type MailRow = Row<"mails", "id" | "account_id" | "dispatch_id" | "event">;

const recipientMembers = jsonMembers("contacts", { name: "name", email: "email" });
type ClaimedRow = MailRow &
  Row<"mails", "failures" | "created_at"> & {
    readonly contacts: ReadonlyArray<JsonOf<typeof recipientMembers>>;
    readonly recipients: ReadonlyArray<JsonOf<typeof recipientMembers>>;
    readonly is_sent: boolean;
  };

type UnsendableRow = MailRow & { readonly state: UnsendableMail["state"] };

export const mailQueue = (pool: pg.Pool): MailQueue => ({
  claim: (claim) =>
    inTransaction(pool, async (client) => {
      // One worker at a time, which sees what the previous one claimed: one mail per account and dispatch is in flight.
      if (!(await takeTurn(client, "mails"))) return { claimed: [], unsendable: [] };
      const unsendable = await settleUnsendable(client, claim);
      await dropNeedless(client, claim);
      await endRetries(client, claim);
      return { claimed: claim.limit === 0 ? [] : await claimDue(client, claim), unsendable };
    }),
  async renew(mails, leasedUntil) {
    const { rows } = await pool.query<Row<"mails", "id">>(
      `update mails set leased_until = $3 from unnest($1::text[], $2::timestamptz[]) as held (id, lease)
       where mails.id = held.id and leased_until = lease returning mails.id`,
      [...valuesOf(mails, "id", "leasedUntil"), leasedUntil],
    );
    return rows.map(({ id }) => id);
  },
  async record({ id, leasedUntil }, { state, at, handover, nextAttemptAt, error }) {
    const hasNew = handover?.recipients.some(({ answer }) => answer === "accepted") ?? false;
    await pool.query({
      name: "record-mail",
      text: `with recorded as (
               update mails
               set state = $2, next_attempt_at = case when $2 = 'waiting' then $4::timestamptz end,
                 retry_at = case when $2 = 'sent' then $4::timestamptz end,
                 sent_at = case when $2 = 'sent' then coalesce(sent_at, $3) end,
                 given_up_at = case when $2 = 'expired' then $3 end,
                 failures = failures + case when $5::text is null then 0 else 1 end, last_error = coalesce($5, last_error),
                 leased_until = null, carried_modification = case when $6 then $7 else carried_modification end,
                 recipients = coalesce(mails.recipients, $8), refused_recipients = case when mails.recipients is null then $9 else refused_recipients end
               where id = $1 and (state = 'waiting' or retry_at is not null) and (leased_until = $10 or $6)
               returning id, dispatch_id, account_id
             ), followed as (
               ${progressIn("select * from recorded", { at: "$3" })}
             ), handed as (
               insert into mail_handovers (mail_id, number, at, modification_number, subject, text)
               select id, 1 + (select count(*) from mail_handovers where mail_id = $1), $3, $7, $11, $12 from recorded
               where $7::int is not null returning mail_id, number
             )
             insert into mail_recipients (mail_id, number, email, name, answer, reply)
             select mail_id, number, email, name, answer, reply
             from handed cross join unnest($13::text[], $14::text[], $15::text[], $16::text[]) as given (email, name, answer, reply)
             on conflict do nothing`,
      values: [id, state, at, nextAttemptAt, error, hasNew, ...handoverValues(state, handover, leasedUntil)],
    });
    appended(pool, "progress");
  },
});

const handoverValues = (state: string, handover: MailHandover | null, leasedUntil: Date): unknown[] => {
  const recipients = handover?.recipients ?? [];
  const isSent = state === "sent" && handover !== null;
  return [
    handover?.modificationNumber ?? null,
    // For versions that read recipients here.
    isSent
      ? JSON.stringify(recipients.map(({ name, email, answer }) => ({ name, email, accepted: answer === "accepted" })))
      : null,
    isSent ? refusedOf(recipients) : 0,
    leasedUntil,
    handover?.subject ?? null,
    handover?.text ?? null,
    ...valuesOf(recipients, "email", "name", "answer", "reply"),
  ];
};

/** Due by $1, and under no lease that ends after $2. */
const IS_FREE = "state = 'waiting' and next_attempt_at <= $1 and (leased_until is null or leased_until <= $2)";

/** A mail that some recipients have, due for the others. */
const IS_RETRY = "retry_at <= $1 and (leased_until is null or leased_until <= $2)";

/** Whether a recipient neither has the mail nor was refused for good: by address, so a corrected one is new. */
const IS_LEFT = `lower(contacts.email) not in (
  select lower(email) from mail_recipients where mail_id = mails.id and answer in ('accepted', 'refused'))`;

/** A mail that the mail server refused for good for each contact: it waits for a corrected one. */
export const IS_REFUSED = `(mails.state = 'waiting'
  and exists (select from mail_recipients where mail_id = mails.id)
  and not exists (select from contacts where contacts.account_id = mails.account_id and ${IS_LEFT}))`;

/** The next mail that waits, or that some recipients do not have. */
export const dueMails: DueWork = {
  name: "mails",
  next: `least(
    (select next_attempt_at from mails where state = 'waiting' and ${IS_UNLEASED} order by next_attempt_at limit 1),
    (select retry_at from mails where retry_at is not null and ${IS_UNLEASED} order by retry_at limit 1))`,
};

/**
 * A later mail of the account and dispatch says more, or one already sent said the same; or the account is disabled.
 */
const IS_NEEDLESS = `(
  exists (select from accounts where accounts.id = mails.account_id and disabled)
  or exists (
    select from mails as other
    where other.dispatch_id = mails.dispatch_id and other.account_id = mails.account_id and (
      other.notice_seq > mails.notice_seq or other.carried_modification >= (
        select modification_number from notices where seq = mails.notice_seq))))`;

/** The most that one look drops or settles; a thousand take a few milliseconds. */
const MOST_AT_ONCE = 1000;

/** All that are due, not only the first: their alarms must not wait for other mails. */
const settleUnsendable = async (
  db: Queryable,
  { now, lapsedBefore, hasServer }: MailClaim,
): Promise<UnsendableMail[]> => {
  const { rows } = await db.query<UnsendableRow>({
    name: "settle-unsendable-mails",
    text: `with unsendable as (
             select id, (account_id in (select account_id from contacts)) as has_contacts from mails
             where ${IS_FREE} and (not $3 or account_id not in (select account_id from contacts)) and not ${IS_NEEDLESS}
             order by seq limit ${MOST_AT_ONCE} for update
           ), settled as (
             update mails set state = case when has_contacts then 'kept' else 'no_contacts' end, next_attempt_at = null,
               leased_until = null, given_up_at = $1
             from unsendable where mails.id = unsendable.id
             returning mails.id, account_id, dispatch_id, event, state
           ), followed as (${progressIn("select * from settled", { at: "$1" })})
           select * from settled`,
    values: [now, lapsedBefore, hasServer],
  });
  if (rows.length > 0) appended(db, "progress");
  return rows.map(camel);
};

/** Only at the front of the queue; later mails are checked when they get there. */
const dropNeedless = async (db: Queryable, { now, lapsedBefore }: MailClaim): Promise<void> => {
  const { rowCount } = await db.query({
    name: "drop-mails",
    text: `with dropped as (
             update mails set state = 'dropped', next_attempt_at = null, leased_until = null
             where id in (
               select id from mails
               where id in (select id from mails where ${IS_FREE} order by next_attempt_at limit ${MOST_AT_ONCE})
                 and ${IS_FREE} and ${IS_NEEDLESS}
               order by seq for update)
             returning dispatch_id, account_id
           )
           ${progressIn("select * from dropped", { at: "$1" })}`,
    values: [now, lapsedBefore],
  });
  if (rowCount !== 0) appended(db, "progress");
};

/**
 * Ends retries that nobody needs: the account is disabled, a later mail of the dispatch says more, or all contacts have it.
 * Where each contact left was refused for good, the mail waits for a corrected one, as long as any.
 */
const endRetries = async (db: Queryable, { now, lapsedBefore }: MailClaim): Promise<void> => {
  await db.query({
    name: "end-mail-retries",
    text: `update mails set retry_at = null, leased_until = null
           where id in (
             select id from mails where ${IS_RETRY} and (
               ${waitsSince("created_at")} <= $1::timestamptz - interval '1 day'
               or exists (select from accounts where accounts.id = mails.account_id and disabled)
               or exists (select from mails as other where other.dispatch_id = mails.dispatch_id
                 and other.account_id = mails.account_id and other.notice_seq > mails.notice_seq)
               or not exists (select from contacts where contacts.account_id = mails.account_id
                 and lower(contacts.email) not in (
                   select lower(email) from mail_recipients where mail_id = mails.id and answer = 'accepted')))
             order by seq for update limit ${MOST_AT_ONCE})`,
    values: [now, lapsedBefore],
  });
  await db.query({
    name: "await-corrected-contacts",
    text: `with awaited as (
             update mails
             set next_attempt_at = case when state = 'waiting' and not is_old then $3::timestamptz end,
               retry_at = case when state = 'sent' then $3::timestamptz end,
               state = case when state = 'waiting' and is_old then 'expired' else state end,
               given_up_at = case when state = 'waiting' and is_old then $1 end, leased_until = null
             from (
               select id as waiting_id, ${waitsSince("created_at")} <= $1::timestamptz - interval '1 day' as is_old from mails
               where (${IS_FREE} or ${IS_RETRY}) and account_id in (select account_id from contacts)
                 and not exists (select from contacts where contacts.account_id = mails.account_id and ${IS_LEFT})
               order by seq for update limit ${MOST_AT_ONCE}
             ) as without where id = waiting_id
             returning mails.dispatch_id, mails.account_id, state
           )
           ${progressIn("select * from awaited where state = 'expired'", { at: "$1" })}`,
    values: [now, lapsedBefore, new Date(now.getTime() + CORRECTED_MS)],
  });
};

/** How soon a corrected contact gets the mail. */
const CORRECTED_MS = 60_000;

const contactsWhere = (condition: string): string => `(
  select json_agg(json_build_object(${recipientMembers.sql}) order by seq)
  from contacts where contacts.account_id = mails.account_id${condition})`;

const claimDue = async (
  db: Queryable,
  { now, leasedUntil, lapsedBefore, limit }: MailClaim,
): Promise<ClaimedMail[]> => {
  const { rows } = await db.query<ClaimedRow>({
    name: "claim-mails",
    text: `with claimed as (
             select id from mails
             where (${IS_FREE} and not ${IS_NEEDLESS} or ${IS_RETRY})
               and exists (select from contacts where contacts.account_id = mails.account_id and ${IS_LEFT})
               and not exists (
               select from mails as other
               where other.dispatch_id = mails.dispatch_id and other.account_id = mails.account_id
                 and (other.state = 'waiting' or other.retry_at is not null) and other.leased_until > $2)
             order by coalesce(next_attempt_at, retry_at) limit $3 for update skip locked
           )
           update mails set leased_until = $4 where id in (select id from claimed)
           returning id, account_id, dispatch_id, event, failures, ${waitsSince("created_at")} as created_at, state = 'sent' as is_sent,
             ${contactsWhere("")} as contacts, ${contactsWhere(` and ${IS_LEFT}`)} as recipients`,
    values: [now, lapsedBefore, limit, leasedUntil],
  });
  return rows.map((row) => ({ ...camel(row), leasedUntil }));
};
