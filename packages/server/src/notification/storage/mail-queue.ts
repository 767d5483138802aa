import type pg from "pg";
import { takeTurn } from "../../platform/database/advisory-locks.js";
import { camel } from "../../platform/database/camel.js";
import type { Row } from "../../platform/database/columns.js";
import { inTransaction, type Queryable } from "../../platform/database/database.js";
import { type JsonOf, jsonMembers } from "../../platform/database/json-members.js";
import { type ClaimedMail, refusedOf, type UnsendableMail } from "../domain/mail.js";
import type { MailClaim, MailQueue } from "../operations/send-mails.js";

type MailRow = Row<"mails", "id" | "account_id" | "dispatch_id" | "event">;

const recipientMembers = jsonMembers("contacts", { name: "name", email: "email" });
type ClaimedRow = MailRow &
  Row<"mails", "failures" | "created_at"> & { readonly recipients: ReadonlyArray<JsonOf<typeof recipientMembers>> };

type UnsendableRow = MailRow & { readonly state: UnsendableMail["state"] };

export const mailQueue = (pool: pg.Pool): MailQueue => ({
  async claim(claim) {
    if (!(await isAnyFree(pool, claim))) return { claimed: [], unsendable: [] };
    return inTransaction(pool, async (client) => {
      // One worker at a time, which sees what the previous one claimed: one mail per account and dispatch is in flight.
      if (!(await takeTurn(client, "mails"))) return { claimed: [], unsendable: [] };
      const unsendable = await settleUnsendable(client, claim);
      await dropNeedless(client, claim);
      return { claimed: claim.limit === 0 ? [] : await claimDue(client, claim), unsendable };
    });
  },
  async renew(mails, leasedUntil) {
    const { rows } = await pool.query<Row<"mails", "id">>(
      `update mails set leased_until = $3 from unnest($1::text[], $2::timestamptz[]) as held (id, lease)
       where mails.id = held.id and leased_until = lease returning mails.id`,
      [mails.map(({ id }) => id), mails.map((mail) => mail.leasedUntil), leasedUntil],
    );
    return rows.map(({ id }) => id);
  },
  async record({ id, leasedUntil }, outcome) {
    const { state } = outcome;
    const error = "error" in outcome ? outcome.error : null;
    await pool.query({
      name: "record-mail",
      text: `update mails
             set state = $2, next_attempt_at = $3, sent_at = $4, given_up_at = $5, refused_recipients = $6,
               failures = failures + $7, last_error = coalesce($8, last_error), leased_until = null,
               carried_modification = $10, recipients = $11
             where id = $1 and state = 'waiting' and (leased_until = $9 or $2 = 'sent')`,
      values: [
        id,
        state,
        state === "waiting" ? outcome.nextAttemptAt : null,
        state === "sent" ? outcome.at : null,
        state === "expired" ? outcome.at : null,
        state === "sent" ? refusedOf(outcome.recipients) : 0,
        error === null ? 0 : 1,
        error,
        leasedUntil,
        state === "sent" ? outcome.modificationNumber : null,
        state === "sent" ? JSON.stringify(outcome.recipients) : null,
      ],
    });
  },
});

/** Due by $1, and under no lease that ends after $2. */
const IS_FREE = "state = 'waiting' and next_attempt_at <= $1 and (leased_until is null or leased_until <= $2)";

/** Most often none is due, which needs no transaction. */
const isAnyFree = async (db: Queryable, { now, lapsedBefore }: MailClaim): Promise<boolean> => {
  const { rowCount } = await db.query({
    name: "find-due-mail",
    text: `select from mails where ${IS_FREE} limit 1`,
    values: [now, lapsedBefore],
  });
  return rowCount === 1;
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
           )
           update mails set state = case when has_contacts then 'kept' else 'no_contacts' end, next_attempt_at = null,
             leased_until = null, given_up_at = $1
           from unsendable where mails.id = unsendable.id
           returning mails.id, account_id, dispatch_id, event, state`,
    values: [now, lapsedBefore, hasServer],
  });
  return rows.map(camel);
};

/** Only at the front of the queue; later mails are checked when they get there. */
const dropNeedless = (db: Queryable, { now, lapsedBefore }: MailClaim) =>
  db.query({
    name: "drop-mails",
    text: `update mails set state = 'dropped', next_attempt_at = null, leased_until = null
           where id in (
             select id from mails
             where id in (select id from mails where ${IS_FREE} order by next_attempt_at limit ${MOST_AT_ONCE})
               and ${IS_FREE} and ${IS_NEEDLESS}
             order by seq for update)`,
    values: [now, lapsedBefore],
  });

const claimDue = async (
  db: Queryable,
  { now, leasedUntil, lapsedBefore, limit }: MailClaim,
): Promise<ClaimedMail[]> => {
  const { rows } = await db.query<ClaimedRow>({
    name: "claim-mails",
    text: `with claimed as (
             select id from mails
             where ${IS_FREE} and account_id in (select account_id from contacts) and not ${IS_NEEDLESS} and not exists (
               select from mails as other
               where other.dispatch_id = mails.dispatch_id and other.account_id = mails.account_id
                 and other.state = 'waiting' and other.leased_until > $2)
             order by next_attempt_at limit $3 for update skip locked
           )
           update mails set leased_until = $4 where id in (select id from claimed)
           returning id, account_id, dispatch_id, event, failures, created_at, (
             select json_agg(json_build_object(${recipientMembers.sql}) order by seq)
             from contacts where contacts.account_id = mails.account_id
           ) as recipients`,
    values: [now, lapsedBefore, limit, leasedUntil],
  });
  return rows.map((row) => ({ ...camel(row), leasedUntil }));
};
