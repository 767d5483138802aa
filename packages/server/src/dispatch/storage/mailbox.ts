import type pg from "pg";
import { type advisoryLocks, takeTurn } from "../../platform/database/advisory-locks.js";
import { type RowOf, selection } from "../../platform/database/columns.js";
import { appended } from "../../platform/database/commits.js";
import { inTransaction, type Queryable } from "../../platform/database/database.js";
import { type DueWork, IS_UNLEASED } from "../../platform/database/due-work.js";
import { valuesOf } from "../../platform/database/values-of.js";
import type { Claim, Leased } from "../../platform/lease.js";
import type { ClaimedMessage, MessageOutcome, UnsendableMessage } from "../domain/message.js";
import type { MessageLook, MessageQueue } from "../operations/message-queue.js";
import { progressIn } from "./progress.js";

/**
 * How messages are claimed and recorded. Conditions are on `due`, one of them: $1 is now, and leases that ended before $2
 * are over.
 */
export interface MailboxChannel<T extends Leased> {
  /** For the timetable and names of statements. */
  readonly name: string;
  readonly channels: readonly string[];
  /** One worker claims at a time, and sees what the one before claimed. */
  readonly lock?: keyof typeof advisoryLocks;
  readonly order: string;
  /** How many one look judges; unless said, all that are due. */
  readonly looksAt?: number;
  /** Most in flight to a recipient; unless said, any. */
  readonly perRecipient?: number;
  /** It is dropped, not sent: a later one says more, or nobody is to get it any more. */
  readonly isNeedless: string;
  /** Why it cannot be sent, and fails without an attempt; null if it can. */
  readonly unsendable?: string;
  /** It waits, though it is due. */
  readonly isHeld: string;
  readonly waitsSince: string;
  /** What else is read of a claimed one, as JSON. */
  readonly about?: string;
  /** What else a record writes: parts of its statement, which read `given`. */
  readonly beside?: string;
  readonly claimedOf: (message: ClaimedMessage) => T;
}

const messageRow = selection("messages", ["id", "channel", "recipient", "account_id", "subject", "event", "failures"]);
type ClaimedRow = RowOf<typeof messageRow> & { readonly waits_since: Date; readonly about: unknown };
type LookedRow = (ClaimedRow | { readonly id: null }) & Looked;
interface Looked {
  readonly seen: number;
  readonly ended: number;
  readonly unsendable: readonly UnsendableMessage[] | null;
}

/** Due by $1, and under no lease that ends after $2. */
const IS_FREE =
  "state = 'pending' and not behind and next_attempt_at <= $1 and (leased_until is null or leased_until <= $2)";
/** What becomes of a message that is not sent any more: delivered, if some of those that it is for have it. */
export const stateAfter = (state: string): string =>
  `case when modification is not null then 'delivered' else ${state} end`;
/** Condition on a message: evidence of a dispatch has it, so its account's open pages are to hear of it. */
const IS_EVIDENCE = "account_id is not null and event like 'dispatch.%'";

/** Part of a statement that writes messages: see `progressIn`. */
export const messageProgress = (rows: string, at: string): string =>
  progressIn(`select subject as dispatch_id, account_id from ${rows} where ${IS_EVIDENCE}`, { at });

const nextIn = (channel: string): string =>
  `(select next_attempt_at from messages where channel = '${channel}' and state = 'pending' and not behind and ${IS_UNLEASED}
    order by next_attempt_at limit 1)`;

/** The next message that waits. */
export const dueMessages = <T extends Leased>({ name, channels }: MailboxChannel<T>): DueWork => ({
  name,
  next: `least(${channels.map(nextIn).join(", ")})`,
});

export const mailbox = <T extends Leased>(pool: pg.Pool, channel: MailboxChannel<T>): MessageQueue<T> => {
  const { name, lock } = channel;
  const [claimText, recordText] = [claimOf(channel), recordOf(channel)];
  const look = async (db: Queryable, claim: Claim, busyHosts: readonly string[]): Promise<MessageLook<T>> => {
    const { now, lapsedBefore, limit, leasedUntil } = claim;
    const values = [now, lapsedBefore, limit, leasedUntil, busyHosts];
    const { rows } = await db.query<LookedRow>({ name: `claim-${name}`, text: claimText, values });
    if (rows.some(({ ended }) => ended > 0)) appended(db, "progress");
    return lookOf(channel, claim, rows);
  };
  return {
    claim({ busyHosts = [], ...claim }) {
      if (lock === undefined) return look(pool, claim, busyHosts);
      return inTransaction(pool, async (db) =>
        (await takeTurn(db, lock)) ? look(db, claim, busyHosts) : { claimed: [], unsendable: [] },
      );
    },
    async renew(messages, leasedUntil) {
      const { rows } = await pool.query<Pick<ClaimedMessage, "id">>({
        name: "renew-messages",
        text: `update messages set leased_until = $3 from unnest($1::text[], $2::timestamptz[]) as held (id, lease)
               where messages.id = held.id and leased_until = lease returning messages.id`,
        values: [...valuesOf(messages, "id", "leasedUntil"), leasedUntil],
      });
      return rows.map(({ id }) => id);
    },
    async record(sent) {
      const outcomes = sent.map(({ outcome }) => outcome);
      await pool.query({
        name: `record-${name}`,
        text: recordText,
        values: [
          sent.map(({ item }) => item.id),
          sent.map(({ item }) => item.leasedUntil),
          outcomes.map(({ state }) => state),
          outcomes.map(({ at }) => at),
          outcomes.map((outcome) => (outcome.state === "pending" ? outcome.nextAttemptAt : null)),
          outcomes.map((outcome) => (outcome.state === "failed" ? outcome.reason : null)),
          outcomes.map((outcome) => (outcome.state === "failed" ? null : outcome.modification)),
          outcomes.map(keptOf),
          outcomes.map(({ evidence }) => evidence),
        ],
      });
      appended(pool, "progress");
    },
  };
};

const keptOf = (outcome: MessageOutcome): object => {
  if (outcome.state === "delivered") return outcome.kept;
  return outcome.error === null ? {} : { error: outcome.error };
};

const lookOf = <T extends Leased>(
  { looksAt, claimedOf }: MailboxChannel<T>,
  { limit, leasedUntil }: Claim,
  rows: readonly LookedRow[],
): MessageLook<T> => {
  const claimed = rows
    .filter((row): row is Extract<LookedRow, ClaimedRow> => row.id !== null)
    .map((row) => claimedOf({ ...messageRow.camel(row), createdAt: row.waits_since, leasedUntil, about: row.about }));
  const [{ seen, ended, unsendable } = { seen: 0, ended: 0, unsendable: null }] = rows;
  const isFull = claimed.length > 0 && claimed.length === limit;
  const hasMore = isFull || (seen === looksAt && claimed.length + ended > 0);
  return { claimed, hasMore, unsendable: unsendable ?? [] };
};

const claimOf = <T extends Leased>(channel: MailboxChannel<T>): string => {
  const isOf = `channel in (${channel.channels.map((name) => `'${name}'`).join(", ")})`;
  return `
    with flying as materialized (
      select channel, recipient, count(*) as in_flight from messages
      where ${isOf} and state = 'pending' and leased_until > $2 group by channel, recipient
    ), front as materialized (
      select * from messages
      where ${isOf} and ${IS_FREE} and (detail ->> 'host' is null or detail ->> 'host' <> all($5::text[]))
      order by ${channel.order} limit ${channel.looksAt ?? "all"}
    ), judged as materialized (
      select id, channel, recipient, next_attempt_at, seq, ${channel.isNeedless} as is_needless, ${channel.isHeld} as is_held,
        ${channel.unsendable ?? "null::text"} as cause
      from front as due
    ), ended as (
      update messages
      set state = ${stateAfter("case when is_needless or cause is null then 'dropped' else 'failed' end")},
        reason = case when not is_needless then cause end, ended_at = case when not is_needless then $1 else ended_at end,
        next_attempt_at = null, leased_until = null
      from judged
      where messages.id = judged.id and judged.id in (
        select id from messages where id in (select id from judged where is_needless or cause is not null) and ${IS_FREE} order by seq for update)
      returning messages.id, subject, account_id, event, reason
    ), followed as (${messageProgress("ended", "$1")}
    ), placed as (
      select id, coalesce(in_flight, 0) + row_number() over (partition by channel, recipient order by next_attempt_at, seq) as place
      from judged left join flying using (channel, recipient) where not is_needless and not is_held and cause is null
    ), free as (
      -- Asked again of the locked row: it may have been recorded meanwhile.
      select id from messages where id in (select id from placed where place <= ${channel.perRecipient ?? "$3"}) and ${IS_FREE}
      order by ${channel.order} limit $3 for update skip locked
    ), claimed as (
      update messages set leased_until = $4 where id in (select id from free)
      returning ${messageRow.columns}, ${channel.waitsSince} as waits_since, ${channel.about ?? "null"} as about
    )
    select claimed.*, seen, ended, unsendable
    from (
      select (select count(*) from judged) as seen, count(*) as ended, json_agg(
        json_build_object('id', id, 'accountId', account_id, 'subject', subject, 'event', event, 'reason', reason))
        filter (where reason is not null) as unsendable
      from ended
    ) as looked left join claimed on true`;
};

const recordOf = <T extends Leased>({ beside }: MailboxChannel<T>): string => `
  with given as (
    select * from unnest($1::text[], $2::timestamptz[], $3::text[], $4::timestamptz[], $5::timestamptz[], $6::text[], $7::int[],
      $8::jsonb[], $9::jsonb[]) as given (id, lease, outcome, at, next_at, cause, described, kept, evidence)
  ), recorded as (
    update messages
    set state = outcome, next_attempt_at = next_at, reason = cause, modification = coalesce(described, modification), detail = detail || kept,
      ended_at = coalesce(ended_at, case when next_at is null or described is not null then at end),
      failures = failures + (kept ? 'error')::int, leased_until = null
    from given
    where messages.id = given.id and state = 'pending'
      and (leased_until = lease or described is not null or outcome = 'delivered' and not kept ? 'error')
    returning messages.id, subject, account_id, event
  )${beside === undefined ? "" : `, ${beside}`}
  ${messageProgress("recorded", "(select max(at) from given)")}`;
