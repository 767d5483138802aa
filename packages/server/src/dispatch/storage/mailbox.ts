import type pg from "pg";
import { type advisoryLocks, takeTurn } from "../../platform/database/advisory-locks.js";
import { type Row, type RowOf, selection } from "../../platform/database/columns.js";
import { appended } from "../../platform/database/commits.js";
import { inTransaction, type Queryable } from "../../platform/database/database.js";
import { type DueWork, IS_UNLEASED } from "../../platform/database/due-work.js";
import type { Claim, Sent } from "../../platform/lease.js";
import type { ClaimedMessage, MessageOutcome } from "../domain/message.js";
import type { MessageQueue } from "../operations/message-queue.js";
import { progressIn } from "./progress.js";

/**
 * How the messages of a channel are claimed. Conditions are on `due`, one of them: $1 is now, and leases that ended
 * before $2 are over.
 */
export interface MailboxChannel<Channel extends string = string> {
  /** For the timetable and names of statements. */
  readonly name: string;
  readonly channels: readonly Channel[];
  /** One worker claims at a time, and sees what the one before claimed. */
  readonly lock: keyof typeof advisoryLocks;
  /** Most in flight to a recipient. */
  readonly perRecipient: number;
  /** It is dropped, not sent: a later one says more, or nobody is to get it any more. */
  readonly isNeedless: string;
  /** It waits, though it is due. */
  readonly isHeld: string;
  /** Since when a message waits. */
  readonly waitsSince: string;
}

const messageRow = selection("messages", ["id", "recipient", "event", "failures"]);
type ClaimedRow<Channel> = RowOf<typeof messageRow> &
  Row<"messages", "subject"> & { readonly channel: Channel; readonly account_id: string; readonly waits_since: Date };

/** Due by $1, and under no lease that ends after $2. */
const IS_FREE =
  "state = 'pending' and not behind and next_attempt_at <= $1 and (leased_until is null or leased_until <= $2)";
/** The most that one look drops; a thousand take a few milliseconds. */
const MOST_DROPPED = 1000;

const isOf = ({ channels }: MailboxChannel): string => `channel in (${channels.map((name) => `'${name}'`).join(", ")})`;

/** The next message that waits. */
export const dueMessages = ({ name, channels }: MailboxChannel): DueWork => ({
  name,
  next: `least(${channels.map(
    (channel) =>
      `(select next_attempt_at from messages where channel = '${channel}' and state = 'pending' and not behind and ${IS_UNLEASED}
        order by next_attempt_at limit 1)`,
  )})`,
});

export const mailbox = <Channel extends string>(
  pool: pg.Pool,
  channel: MailboxChannel<Channel>,
): MessageQueue<Channel> => ({
  claim: (claim) =>
    inTransaction(pool, async (client) => {
      if (!(await takeTurn(client, channel.lock))) return [];
      await dropNeedless(client, channel, claim);
      return claim.limit === 0 ? [] : claimDue(client, channel, claim);
    }),
  record: (sent) => record(pool, channel, sent),
});

/** Only at the front of the queue; later messages are checked when they get there. */
const dropNeedless = async (db: Queryable, channel: MailboxChannel, { now, lapsedBefore }: Claim): Promise<void> => {
  const { rowCount } = await db.query({
    name: `drop-${channel.name}`,
    text: `with dropped as (
             update messages set state = 'dropped', next_attempt_at = null, leased_until = null
             where id in (
               select id from messages as due
               where id in (select id from messages where ${isOf(channel)} and ${IS_FREE} order by next_attempt_at limit ${MOST_DROPPED})
                 and ${IS_FREE} and ${channel.isNeedless}
               order by seq for update)
             returning subject as dispatch_id, account_id
           )
           ${progressIn("select * from dropped", { at: "$1" })}`,
    values: [now, lapsedBefore],
  });
  if (rowCount !== 0) appended(db, "progress");
};

const claimDue = async <Channel extends string>(
  db: Queryable,
  channel: MailboxChannel<Channel>,
  { now, leasedUntil, lapsedBefore, limit }: Claim,
): Promise<Array<ClaimedMessage<Channel>>> => {
  const { rows } = await db.query<ClaimedRow<Channel>>({
    name: `claim-${channel.name}`,
    text: `with flying as materialized (
             select channel, recipient, count(*) as in_flight from messages
             where ${isOf(channel)} and state = 'pending' and leased_until > $2 group by channel, recipient
           ), placed as (
             select id, coalesce(in_flight, 0) + row_number() over (partition by channel, recipient order by next_attempt_at, seq) as place
             from messages as due left join flying using (channel, recipient)
             where ${isOf(channel)} and ${IS_FREE} and not ${channel.isNeedless} and not ${channel.isHeld}
           ), claimed as (
             -- Asked again of the locked row: it may have been recorded meanwhile.
             select id from messages
             where id in (select id from placed where place <= ${channel.perRecipient}) and ${IS_FREE}
             order by next_attempt_at, seq limit $3 for update skip locked
           )
           update messages set leased_until = $4 where id in (select id from claimed)
           returning ${messageRow.columns}, channel, subject, account_id, ${channel.waitsSince} as waits_since`,
    values: [now, lapsedBefore, limit, leasedUntil],
  });
  return rows.map((row) => ({
    ...messageRow.camel(row),
    channel: row.channel,
    dispatchId: row.subject,
    accountId: row.account_id,
    createdAt: row.waits_since,
    leasedUntil,
  }));
};

const record = async (
  pool: pg.Pool,
  { name }: MailboxChannel,
  sent: ReadonlyArray<Sent<ClaimedMessage, MessageOutcome>>,
): Promise<void> => {
  await pool.query({
    name: `record-${name}`,
    text: `with given as (
             select * from unnest($1::text[], $2::timestamptz[], $3::text[], $4::timestamptz[], $5::timestamptz[], $6::text[],
               $7::int[], $8::jsonb[], $9::boolean[]) as given (id, lease, outcome, at, next_at, cause, described, kept, has_failed)
           ), recorded as (
             update messages
             set state = outcome, next_attempt_at = next_at, ended_at = case when next_at is null then at end, reason = cause,
               modification = described, detail = detail || kept, failures = failures + has_failed::int, leased_until = null
             from given
             where messages.id = given.id and state = 'pending' and (leased_until = lease or outcome = 'delivered')
             returning subject as dispatch_id, account_id
           )
           ${progressIn("select * from recorded", { at: "(select max(at) from given)" })}`,
    values: [
      sent.map(({ item }) => item.id),
      sent.map(({ item }) => item.leasedUntil),
      sent.map(({ outcome }) => outcome.state),
      sent.map(({ outcome }) => outcome.at),
      sent.map(({ outcome }) => (outcome.state === "pending" ? outcome.nextAttemptAt : null)),
      sent.map(({ outcome }) => (outcome.state === "failed" ? outcome.reason : null)),
      sent.map(({ outcome }) => (outcome.state === "delivered" ? outcome.modification : null)),
      sent.map(({ outcome }) =>
        JSON.stringify(outcome.state === "delivered" ? outcome.kept : { error: outcome.error }),
      ),
      sent.map(({ outcome }) => outcome.state !== "delivered"),
    ],
  });
  appended(pool, "progress");
};
