import type pg from "pg";
import { type advisoryLocks, takeTurn } from "../../platform/database/advisory-locks.js";
import { type RowOf, selection } from "../../platform/database/columns.js";
import { appended } from "../../platform/database/commits.js";
import { inTransaction, type Queryable } from "../../platform/database/database.js";
import { type DueWork, IS_UNLEASED } from "../../platform/database/due-work.js";
import { progressIn } from "../../platform/database/journal-progress.js";
import { readAll } from "../../platform/database/read.js";
import { unlessTaken } from "../../platform/database/unless-taken.js";
import { valuesOf } from "../../platform/database/values-of.js";
import type { Claim, Leased, Sent } from "../../platform/lease.js";
import type {
  ClaimedMessage,
  EvidentAttempt,
  FailedResend,
  MessageKept,
  MessageOutcome,
  UnsendableMessage,
} from "../domain/message.js";
import type { MessageLook, MessageQueue } from "../operations/message-queue.js";

/** How outcomes are recorded: parts of a statement, which read `given` and `locked`. */
export interface MessageRecords {
  /** For names of statements and the timetable. */
  readonly name: string;
  /** What is deleted once it is old has a table of its own, with the columns of `messages` that are read here. */
  readonly table?: "messages" | "passing_messages";
  /** Of which messages each attempt is evidence by itself: a condition on the message, `held`. */
  readonly evident?: string;
  /** What an outcome changes, if not as of all channels: assignments, and the condition on the message. */
  readonly changes?: readonly [set: string, where: string];
  /** What else is written, after `recorded`. */
  readonly beside?: string;
  /** Part of a statement that notes its evidence, if it is not that of `messageProgress`. */
  readonly progress?: typeof messageProgress;
}

/**
 * How messages are claimed and recorded. Conditions are on `due`, one of them: $1 is now, and leases that ended before $2
 * are over.
 */
export interface MailboxChannel<T extends Leased> extends MessageRecords {
  readonly channels: readonly string[];
  /** One worker claims at a time, and sees what the one before claimed. */
  readonly lock?: keyof typeof advisoryLocks;
  /** Of `due`, too. */
  readonly order: string;
  /** How many one look judges; unless said, all that are due. */
  readonly looksAt?: number;
  /** Most in flight to a recipient; unless said, any. */
  readonly perRecipient?: number;
  /** It is dropped, not sent: a later one says more, or nobody is to get it any more. */
  readonly isNeedless: string;
  /** Why, if evidence says so. */
  readonly reason?: string;
  /** Why it cannot be sent, and fails without an attempt; null if it can. */
  readonly unsendable?: string;
  /** It waits, though it is due. */
  readonly isHeld: string;
  readonly waitsSince: string;
  /** What else is read of a claimed one, as JSON. */
  readonly about?: string;
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

/** The first parameters of every claim. */
export const claimValues = ({ now, lapsedBefore, limit, leasedUntil }: Claim): unknown[] => [
  now,
  lapsedBefore,
  limit,
  leasedUntil,
];
/** Under no lease that ends after $2. */
export const IS_UNHELD = "(leased_until is null or leased_until <= $2)";
/** Due by $1, as only pending ones are, and under no such lease. */
const IS_FREE = `next_attempt_at <= $1 and ${IS_UNHELD}`;
/** What becomes of a message that is not sent any more: delivered, if some of those that it is for have it. */
export const stateAfter = (state: string): string =>
  `case when modification is not null then 'delivered' else ${state} end`;
/** Condition on a message: evidence of a dispatch has it, so its account's open pages are to hear of it. */
const IS_EVIDENCE = "account_id is not null and event like 'dispatch.%'";

/** Part of a statement that writes messages: see `progressIn`. */
export const messageProgress = (rows: string, at: string): string =>
  progressIn(`select subject as dispatch_id, account_id from ${rows} where ${IS_EVIDENCE}`, { at });

const nextIn =
  (table: string) =>
  (channel: string): string =>
    `(select next_attempt_at from ${table} where channel = '${channel}' and state = 'pending' and not behind and ${IS_UNLEASED}
      order by next_attempt_at limit 1)`;

/** The next message that waits. */
export const dueMessages = <T extends Leased>({ name, channels, table = "messages" }: MailboxChannel<T>): DueWork => ({
  name,
  next: `least(${channels.map(nextIn(table)).join(", ")})`,
});

export const mailbox = <T extends Leased>(pool: pg.Pool, channel: MailboxChannel<T>): MessageQueue<T> => {
  const { name, lock, table = "messages" } = channel;
  const claimText = claimOf(channel);
  const look = async (db: Queryable, claim: Claim, busyHosts: readonly string[]): Promise<MessageLook<T>> => {
    const values = [...claimValues(claim), busyHosts];
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
    renew: (messages, leasedUntil) =>
      readAll(pool, ({ id }: Pick<ClaimedMessage, "id">) => id, {
        name: `renew-${table}`,
        text: `update ${table} as messages set leased_until = $3 from unnest($1::text[], $2::timestamptz[]) as held (id, lease)
               where messages.id = held.id and leased_until = lease returning messages.id`,
        values: [...valuesOf(messages, "id", "leasedUntil"), leasedUntil],
      }),
    record: messageRecorder(pool, channel),
  };
};

type Recorded = MessageOutcome | FailedResend;

/** Attempts are evidence, also those under a lease that is over. A failure under such a lease changes nothing else. */
export const messageRecorder = (pool: pg.Pool, records: MessageRecords) => {
  const text = recordOf(records);
  return async (sent: ReadonlyArray<Sent<Leased, Recorded>>): Promise<void> => {
    const record = { name: `record-${records.name}`, text, values: recordedValues(sent) };
    let noted: number | null = null;
    const write = async () => ({ rowCount: noted } = await pool.query(record));
    // Another process recorded an attempt at the same message meanwhile: the next number is read again.
    if (!(await unlessTaken(write))) await write();
    if (noted !== 0) appended(pool, "progress");
  };
};

const recordedValues = (sent: ReadonlyArray<Sent<Leased, Recorded>>): unknown[] => {
  const outcomes = sent.map(({ outcome }) => outcome);
  const attempts = outcomes.map(({ attempt }) => attempt ?? {}) as ReadonlyArray<Partial<EvidentAttempt>>;
  return [
    sent.map(({ item }) => item.id),
    sent.map(({ item }) => item.leasedUntil),
    outcomes.map(({ state }) => state),
    outcomes.map(({ at }) => at),
    outcomes.map((outcome) => (outcome.state === "pending" ? outcome.nextAttemptAt : null)),
    outcomes.map((outcome) => (outcome.state === "failed" ? outcome.reason : null)),
    outcomes.map((outcome) => ("modification" in outcome ? outcome.modification : null)),
    outcomes.map(keptOf),
    outcomes.map(({ evidence }) => evidence),
    attempts.map(({ at }) => at),
    ...valuesOf(attempts, "status", "durationMs", "address", "error", "responseType", "responseBody"),
    attempts.map(({ isResend = false }) => isResend),
  ];
};

const keptOf = (outcome: Recorded): MessageKept => ({
  ...(outcome.state === "delivered" || outcome.error === null ? {} : { error: outcome.error }),
  ...("kept" in outcome ? outcome.kept : {}),
});

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
  const hasMore = isFull || ended > 0 || (seen === looksAt && claimed.length > 0);
  return { claimed, hasMore, unsendable: unsendable ?? [] };
};

/**
 * Messages are named by arrays: analysed while its first fan-out is written, the table is empty to the planner, which compares all its
 * rows with all of a list.
 */
const claimOf = <T extends Leased>(channel: MailboxChannel<T>): string => {
  const { table = "messages", order, perRecipient, progress = messageProgress } = channel;
  const isOf = `channel in (${channel.channels.map((name) => `'${name}'`).join(", ")})`;
  const isBusy = `(channel, recipient) in (
    select channel, recipient from flying group by channel, recipient having count(*) >= ${perRecipient})`;
  return `
    with flying as materialized (
      select id, channel, recipient from ${table} where ${isOf} and state = 'pending' and leased_until > $2
    ), front as materialized (
      -- What waits for busy recipients is passed over by a hash, however much it is.
      select * from ${table} as due
      where ${isOf} and state = 'pending' and not behind and ${IS_FREE}
        and (detail ->> 'host' is null or detail ->> 'host' <> all($5::text[]))
        ${perRecipient === undefined ? "" : `and not ${isBusy}`} and (${channel.isHeld}) is not true
      order by ${order} limit ${channel.looksAt ?? "all"}
    ), judged as materialized (
      select id, channel, recipient, next_attempt_at, seq, ${channel.isNeedless} as is_needless,
        ${channel.reason ?? "null::text"} as why, ${channel.unsendable ?? "null::text"} as cause
      from front as due
    ), ended as (
      update ${table} as messages
      set state = ${stateAfter("case when is_needless or cause is null then 'dropped' else 'failed' end")},
        reason = case when is_needless then why else cause end,
        ended_at = case when is_needless and why is null then ended_at else $1 end, next_attempt_at = null, leased_until = null
      from judged
      where messages.id = judged.id and messages.id = any(array(
        select id from ${table} where id = any(array(select id from judged where is_needless or cause is not null)) and ${IS_FREE}
        order by id for update))
      returning messages.*, not is_needless as is_unsendable
    ), followed as (${progress("ended", "$1")}
    ), placed as (
      -- Not by a join with those in flight, which the planner takes for one row.
      select id, next_attempt_at,
        row_number() over (partition by channel, recipient order by next_attempt_at nulls first, seq) as place
      from (
        select id, channel, recipient, null as next_attempt_at, null as seq from flying
        union all select id, channel, recipient, next_attempt_at, seq from judged where not is_needless and cause is null) as sent
    ), free as (
      -- Asked again of the locked row: it may have been recorded meanwhile. Not whether it is pending: an index of all that
      -- are would be read for each, as statistics mostly show none.
      select id from ${table} as due
      where id = any(array(select id from placed where place <= ${perRecipient ?? "place"} and next_attempt_at is not null)) and ${IS_FREE}
      order by ${order} limit $3 for update skip locked
    ), claimed as (
      update ${table} as messages set leased_until = $4 where id = any(array(select id from free))
      returning ${messageRow.columns}, ${channel.waitsSince} as waits_since, ${channel.about ?? "null"} as about
    )
    select claimed.*, seen, ended, unsendable
    from (
      select (select count(*) from judged) as seen, count(*) as ended, json_agg(
        json_build_object('id', id, 'accountId', account_id, 'subject', subject, 'event', event, 'reason', reason))
        filter (where is_unsendable) as unsendable
      from ended
    ) as looked left join claimed on true`;
};

/** A message that was dropped while it was sent, and taken, was not dropped. Pending ones as in a claim: not by an index of all that are. */
const CHANGES = [
  `state = outcome, next_attempt_at = next_at, reason = cause, modification = coalesce(described, modification), detail = detail || kept,
   ended_at = case when state = 'dropped' then at else coalesce(ended_at, case when next_at is null or described is not null then at end) end,
   failures = failures + (kept ->> 'error' is not null)::int`,
  `(messages.next_attempt_at is not null or state = 'dropped' and outcome = 'delivered')
   and (leased_until = lease or described is not null or outcome = 'delivered' and kept ->> 'error' is null)`,
] as const;

const recordOf = ({
  table = "messages",
  evident = "false",
  changes: [set, where] = CHANGES,
  beside,
  progress = messageProgress,
}: MessageRecords): string => `
  with given as (
    select * from unnest($1::text[], $2::timestamptz[], $3::text[], $4::timestamptz[], $5::timestamptz[], $6::text[], $7::int[],
      $8::jsonb[], $9::jsonb[], $10::timestamptz[], $11::int[], $12::int[], $13::text[], $14::text[], $15::text[], $16::text[], $17::boolean[])
      as given (id, lease, outcome, at, next_at, cause, described, kept, evidence,
        tried_at, status, duration_ms, address, error, response_type, response_body, is_resend)
  ), locked as materialized (
    -- In order of id, as in dropping, to avoid a deadlock. With all that is given: a plan made once joins parts of a statement by comparing all with all.
    select given.*, recipient, leased_until, state, ${evident} as is_evident
    from given join ${table} as held using (id) where held.id = any($1) order by id for update of held
  ), attempted as (
    insert into message_attempts
      (message_id, number, at, status, duration_ms, address, error, is_resend, gave_up, response_type, response_body)
    select id, 1 + (select coalesce(max(number), 0) from message_attempts where message_id = id), tried_at, status, duration_ms, address, error,
      is_resend, coalesce(outcome = 'failed' and leased_until = lease and state = 'pending', false), response_type, response_body
    from locked
    -- Known by its time, if the message is under another lease or none by now: the answer of the record before was lost.
    where tried_at is not null and is_evident and (leased_until = lease and state <> 'dropped'
      or not exists (select from message_attempts as made where made.message_id = id and made.at = tried_at))
  ), recorded as (
    update ${table} as messages set leased_until = null, ${set} from given
    where messages.id = given.id and messages.id = any(array(select id from locked)) and ${where}
    returning messages.*, outcome, at as recorded_at
  )${beside === undefined ? "" : `, ${beside}`}
  ${progress("recorded", "(select max(at) from given)")}`;
