import type pg from "pg";
import { type advisoryLocks, takeTurn } from "../../platform/database/advisory-locks.js";
import { type RowOf, selection } from "../../platform/database/columns.js";
import { appended } from "../../platform/database/commits.js";
import { inTransaction, type Queryable } from "../../platform/database/database.js";
import { type DueWork, IS_UNLEASED } from "../../platform/database/due-work.js";
import type { Claim, Leased, Look } from "../../platform/lease.js";
import type { ClaimedMessage } from "../domain/message.js";
import type { MessageQueue } from "../operations/message-queue.js";
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
  /** Most in flight to a recipient. */
  readonly perRecipient: number;
  /** It is dropped, not sent: a later one says more, or nobody is to get it any more. */
  readonly isNeedless: string;
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
type LookedRow = (ClaimedRow | { readonly id: null }) & { readonly seen: number; readonly dropped: number };

/** Due by $1, and under no lease that ends after $2. */
const IS_FREE =
  "state = 'pending' and not behind and next_attempt_at <= $1 and (leased_until is null or leased_until <= $2)";
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
  const look = async (db: Queryable, claim: Claim, busyHosts: readonly string[]): Promise<Look<T>> => {
    const { now, lapsedBefore, limit, leasedUntil } = claim;
    const values = [now, lapsedBefore, limit, leasedUntil, busyHosts];
    const { rows } = await db.query<LookedRow>({ name: `claim-${name}`, text: claimText, values });
    if (rows.some(({ dropped }) => dropped > 0)) appended(db, "progress");
    return lookOf(channel, claim, rows);
  };
  return {
    claim({ busyHosts = [], ...claim }) {
      if (lock === undefined) return look(pool, claim, busyHosts);
      return inTransaction(pool, async (db) =>
        (await takeTurn(db, lock)) ? look(db, claim, busyHosts) : { claimed: [] },
      );
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
          outcomes.map((outcome) => (outcome.state === "delivered" ? outcome.modification : null)),
          outcomes.map((outcome) => (outcome.state === "delivered" ? outcome.kept : errorOf(outcome.error))),
        ],
      });
      appended(pool, "progress");
    },
  };
};

const errorOf = (error: string | null) => (error === null ? {} : { error });

const lookOf = <T extends Leased>(
  { looksAt, claimedOf }: MailboxChannel<T>,
  { limit, leasedUntil }: Claim,
  rows: readonly LookedRow[],
): Look<T> => {
  const claimed = rows
    .filter((row): row is Extract<LookedRow, ClaimedRow> => row.id !== null)
    .map((row) => claimedOf({ ...messageRow.camel(row), createdAt: row.waits_since, leasedUntil, about: row.about }));
  const [{ seen, dropped } = { seen: 0, dropped: 0 }] = rows;
  const isFull = claimed.length > 0 && claimed.length === limit;
  return { claimed, hasMore: isFull || (seen === looksAt && claimed.length + dropped > 0) };
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
      select id, channel, recipient, next_attempt_at, seq, ${channel.isNeedless} as is_needless, ${channel.isHeld} as is_held
      from front as due
    ), dropped as (
      update messages set state = 'dropped', next_attempt_at = null, leased_until = null
      where id in (select id from messages where id in (select id from judged where is_needless) and ${IS_FREE} order by seq for update)
      returning subject, account_id, event
    ), followed as (${messageProgress("dropped", "$1")}
    ), placed as (
      select id, coalesce(in_flight, 0) + row_number() over (partition by channel, recipient order by next_attempt_at, seq) as place
      from judged left join flying using (channel, recipient) where not is_needless and not is_held
    ), free as (
      -- Asked again of the locked row: it may have been recorded meanwhile.
      select id from messages where id in (select id from placed where place <= ${channel.perRecipient}) and ${IS_FREE}
      order by ${channel.order} limit $3 for update skip locked
    ), claimed as (
      update messages set leased_until = $4 where id in (select id from free)
      returning ${messageRow.columns}, ${channel.waitsSince} as waits_since, ${channel.about ?? "null"} as about
    )
    select claimed.*, seen, dropped
    from (select (select count(*) from judged) as seen, (select count(*) from dropped) as dropped) as looked left join claimed on true`;
};

const recordOf = <T extends Leased>({ beside }: MailboxChannel<T>): string => `
  with given as (
    select * from unnest($1::text[], $2::timestamptz[], $3::text[], $4::timestamptz[], $5::timestamptz[], $6::text[], $7::int[],
      $8::jsonb[]) as given (id, lease, outcome, at, next_at, cause, described, kept)
  ), recorded as (
    update messages
    set state = outcome, next_attempt_at = next_at, ended_at = case when next_at is null then at end, reason = cause,
      modification = described, detail = detail || kept, failures = failures + (kept ? 'error')::int, leased_until = null
    from given
    where messages.id = given.id and state = 'pending' and (leased_until = lease or outcome = 'delivered')
    returning subject, account_id, event
  )${beside === undefined ? "" : `, ${beside}`}
  ${messageProgress("recorded", "(select max(at) from given)")}`;
