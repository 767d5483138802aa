import { type Follower, type FollowerFault, type FollowerStore, STUCK_FAILURES, type Unseen } from "../follower.js";
import type { JournalEntry } from "../journal.js";
import type { Row } from "./columns.js";
import type { Queryable } from "./database.js";
import type { DueWork } from "./due-work.js";
import { firstOf } from "./first-of.js";
import { cursorAt, ENTRY, readJournal } from "./journal-reader.js";

type CursorRow = Row<"followers", "seen" | "page" | "page_after" | "moved_at"> & {
  readonly has_faults: boolean;
  readonly has_due_fault: boolean;
};
type FaultRow = Row<"follower_faults", "seq" | "at" | "kind" | "subject" | "ref" | "accounts" | "failures"> &
  Pick<JournalEntry, "environment">;

/** Entries that followers could not follow, and are to try again. */
export const dueFaults: DueWork = {
  name: "faults of followers",
  next: "select next_attempt_at from follower_faults where next_attempt_at is not null order by next_attempt_at limit 1",
};

export const followerStore = (db: Queryable): FollowerStore => ({
  async take(name, { kinds, most, now }) {
    const { rows } = await db.query<CursorRow>({
      name: "lock-follower",
      text: `select seen::text, page::text, page_after, moved_at,
               exists (select from follower_faults where follower = $1) as has_faults,
               exists (select from follower_faults where follower = $1 and next_attempt_at <= $2) as has_due_fault
             from followers where name = $1 for no key update skip locked`,
      values: [name, now],
    });
    const [row] = rows;
    return row === undefined ? null : unseenFrom(row, await readAfter(db, row, { kinds, most }));
  },
  async move(name, { seen, page, pageAfter }, at) {
    await db.query({
      name: "move-follower",
      text: "update followers set seen = $2, page = $3, page_after = $4, moved_at = $5 where name = $1",
      values: [name, seen, page, page === null ? null : pageAfter, at],
    });
  },
  async hold(name, seqs, at) {
    const { rows } = await db.query<Row<"follower_faults", "seq">>({
      name: "hold-entries",
      // Again where they are read again.
      text: `insert into follower_faults (follower, ${ENTRY}, since)
             select $1, ${ENTRY}, $3 from journal
             where seq = any($2) and subject <> '' and exists (
               select from follower_faults as earlier
               where follower = $1 and earlier.environment = journal.environment and earlier.subject = journal.subject)
             order by seq
             on conflict (follower, seq) do update set since = follower_faults.since
             returning seq`,
      values: [name, seqs, at],
    });
    return new Set(rows.map(({ seq }) => seq));
  },
  async setAside(name, seq, { failures, error, at, nextAttemptAt }) {
    await db.query(
      `insert into follower_faults (follower, ${ENTRY}, failures, error, since, next_attempt_at)
       select $1, ${ENTRY}, $3, $4, $5, $6 from journal where seq = $2`,
      [name, seq, failures, error, at, nextAttemptAt],
    );
  },
  async dueFault(name, now) {
    const { rows } = await db.query<FaultRow>(
      `select ${ENTRY}, failures from follower_faults
       where follower = $1 and next_attempt_at <= $2 order by next_attempt_at, seq limit 1`,
      [name, now],
    );
    return firstOf(rows, faultFrom);
  },
  async failAgain(name, seq, { failures, error, nextAttemptAt }) {
    await db.query(
      "update follower_faults set failures = $3, error = $4, next_attempt_at = $5 where follower = $1 and seq = $2",
      [name, seq, failures, error, nextAttemptAt],
    );
  },
  async settle(name, seq, at) {
    await db.query(
      `with settled as (
         delete from follower_faults where follower = $1 and seq = $2 returning environment, subject
       )
       update follower_faults set next_attempt_at = $3 where follower = $1 and seq = (
         select min(later.seq) from follower_faults as later join settled using (environment, subject)
         where follower = $1 and later.seq <> $2)`,
      [name, seq, at],
    );
  },
});

/** Says what followers follow, as this version does, for `followerLags` and alarms. */
export const describeFollowers = async (
  db: Queryable,
  followers: ReadonlyArray<Pick<Follower<never>, "name" | "kinds" | "behindAfterSeconds">>,
): Promise<void> => {
  const described = followers.map(({ name, kinds, behindAfterSeconds }) => ({ name, kinds, behindAfterSeconds }));
  await db.query(
    `update followers set kinds = said.kinds, behind_after_seconds = said."behindAfterSeconds"
     from jsonb_to_recordset($1::jsonb) as said (name text, kinds text[], "behindAfterSeconds" int)
     where followers.name = said.name and (followers.kinds, behind_after_seconds) is distinct from (said.kinds, said."behindAfterSeconds")`,
    [JSON.stringify(described)],
  );
};

/** SQL: for each follower, since when its oldest unseen entry waits; null if it has seen all. What is stuck has an alarm of its own. */
export const FOLLOWER_LAGS = `
  select name, behind_after_seconds, (
    select min(at) from (
      select seq, xid, at from journal
      where xid between pg_snapshot_xmax(seen) and '18446744073709551615' and kind = any(kinds)
      union all
      select seq, xid, at from journal where xid = any(array(select pg_snapshot_xip(seen))) and kind = any(kinds)
      union all
      select null, null, at from follower_faults where follower = name and failures < ${STUCK_FAILURES}
    ) as unseen
    where not coalesce(seq <= page_after and pg_visible_in_snapshot(xid, page), false)
  ) as waits_since
  from followers`;

const readAfter = (
  db: Queryable,
  { seen, page, page_after }: CursorRow,
  reading: Parameters<typeof readJournal>[2],
): ReturnType<typeof readJournal> => readJournal(db, { ...cursorAt(seen), page, pageAfter: page_after ?? 0 }, reading);

type Read = Awaited<ReturnType<typeof readJournal>>;

const unseenFrom = (row: CursorRow, { entries, cursor, hasMore }: Read): Unseen => ({
  entries,
  next: cursor,
  again: { seen: row.seen, page: cursor.page ?? cursor.seen, pageAfter: row.page_after ?? 0 },
  movedAt: row.moved_at,
  // What was committed since a backlog began is read after its last page.
  hasMore: hasMore || row.page !== null,
  hasFaults: row.has_faults,
  hasDueFault: row.has_due_fault,
});

const faultFrom = ({ failures, seq, environment, at, kind, subject, ref, accounts }: FaultRow): FollowerFault => ({
  entry: { seq, environment, at, kind, subject, ref, accounts },
  failures,
});
