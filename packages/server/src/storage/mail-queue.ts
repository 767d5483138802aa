import type pg from "pg";
import type { ClaimedMail, Recipient } from "../domain/mail.js";
import type { WebhookEventName } from "../domain/webhook.js";
import type { MailQueue } from "../operations/send-mails.js";

interface ClaimedRow {
  readonly id: string;
  readonly account_id: string;
  readonly dispatch_id: string;
  readonly event: WebhookEventName;
  readonly failures: number;
  readonly created_at: Date;
  readonly recipients: readonly Recipient[] | null;
}

const fromRow = (row: ClaimedRow, leasedUntil: Date): ClaimedMail => ({
  id: row.id,
  accountId: row.account_id,
  dispatchId: row.dispatch_id,
  event: row.event,
  failures: row.failures,
  createdAt: row.created_at,
  leasedUntil,
  recipients: row.recipients ?? [],
});

export const mailQueue = (pool: pg.Pool): MailQueue => ({
  async claim({ now, leasedUntil, lapsedBefore, limit }) {
    const { rows } = await pool.query<ClaimedRow>({
      name: "claim-mails",
      text: `with claimed as (
               select id from mails
               where state = 'waiting' and next_attempt_at <= $1 and (leased_until is null or leased_until <= $4)
               order by next_attempt_at limit $3 for update skip locked
             )
             update mails set leased_until = $2 where id in (select id from claimed)
             returning id, account_id, dispatch_id, event, failures, created_at, (
               select json_agg(json_build_object('name', name, 'email', email) order by seq)
               from contacts where contacts.account_id = mails.account_id
             ) as recipients`,
      values: [now, leasedUntil, limit, lapsedBefore],
    });
    return rows.map((row) => fromRow(row, leasedUntil));
  },
  async renew(mails, leasedUntil) {
    const { rows } = await pool.query<{ id: string }>(
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
               failures = failures + $7, last_error = coalesce($8, last_error), leased_until = null
             where id = $1 and state = 'waiting' and (leased_until = $9 or $2 = 'sent')`,
      values: [
        id,
        state,
        state === "waiting" ? outcome.nextAttemptAt : null,
        state === "sent" ? outcome.at : null,
        state === "sent" || state === "waiting" ? null : outcome.at,
        state === "sent" ? outcome.refused : 0,
        error === null ? 0 : 1,
        error,
        leasedUntil,
      ],
    });
  },
});
