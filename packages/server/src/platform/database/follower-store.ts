import { type FollowerDescription, type FollowerFault, type FollowerStore, STUCK_FAILURES } from "../follower.js";
import { cursorAfter, type JournalEntry, type StreamName } from "../journal.js";
import type { Row } from "./columns.js";
import type { Queryable } from "./database.js";
import type { DueWork } from "./due-work.js";
import {
  type CursorRow,
  cursorFrom,
  cursorValues,
  ENTRIES,
  ENTRY,
  halvesSince,
  newSince,
  readEntries,
} from "./journal-reader.js";
import { readAll, readFirst } from "./read.js";

type TakenRow = CursorRow &
  Row<"followers", "moved_at"> & { readonly has_faults: boolean; readonly has_due_fault: boolean };
type FaultRow = JournalEntry & Row<"follower_faults", "failures">;

/** Entries that followers could not follow, and are to try again. */
export const dueFaults: DueWork = {
  name: "faults of followers",
  next: "select next_attempt_at from follower_faults where next_attempt_at is not null order by next_attempt_at limit 1",
};

/** Entries as they were read. */
const GIVEN = `jsonb_to_recordset($2::jsonb) as given (seq bigint, environment text, at timestamptz, kind text, subject text,
  ref bigint, accounts text[])`;

export const followerStore = (db: Queryable): FollowerStore => ({
  async take(name, { now, ...reading }) {
    const { rows } = await db.query<TakenRow>({
      name: "lock-follower",
      text: `select seen::text, page::text, page_after, moved_at,
               exists (select from follower_faults where follower = $1) as has_faults,
               exists (select from follower_faults where follower = $1 and next_attempt_at <= $2) as has_due_fault
             from followers where name = $1 for no key update skip locked`,
      values: [name, now],
    });
    const [row] = rows;
    if (row === undefined) return null;
    const before = cursorFrom(row);
    const { entries, cursor, hasMore } = await readEntries(db, before, reading);
    return {
      entries,
      next: cursor,
      again: cursorAfter(before, cursor, before.pageAfter),
      movedAt: row.moved_at,
      // Entries that were committed since a backlog began are read after its last page.
      hasMore: hasMore || row.page !== null,
      hasFaults: row.has_faults,
      hasDueFault: row.has_due_fault,
    };
  },
  async move(name, cursor, at) {
    await db.query({
      name: "move-follower",
      text: "update followers set seen = $2, page = $3, page_after = $4, moved_at = $5 where name = $1",
      values: [name, ...cursorValues(cursor), at],
    });
  },
  async hold(name, entries, at) {
    return new Set(
      await readAll(db, ({ seq }: Row<"follower_faults", "seq">) => seq, {
        name: "hold-entries",
        // Again where they are read again.
        text: `insert into follower_faults (follower, ${ENTRY}, since)
             select $1, ${ENTRY}, $3 from ${GIVEN}
             where subject <> '' and exists (
               select from follower_faults as earlier
               where follower = $1 and earlier.environment = given.environment and earlier.subject = given.subject)
             order by seq
             on conflict (follower, seq) do update set since = follower_faults.since
             returning seq`,
        values: [name, JSON.stringify(entries), at],
      }),
    );
  },
  async setAside(name, entry, { failures, error, at, nextAttemptAt }) {
    await db.query(
      `insert into follower_faults (follower, ${ENTRY}, failures, error, since, next_attempt_at)
       select $1, ${ENTRY}, $3, $4, $5, $6 from ${GIVEN}`,
      [name, JSON.stringify([entry]), failures, error, at, nextAttemptAt],
    );
  },
  dueFault: (name, now) =>
    readFirst(db, faultFrom, {
      text: `select ${ENTRY}, failures from follower_faults
       where follower = $1 and next_attempt_at <= $2 order by next_attempt_at, seq limit 1`,
      values: [name, now],
    }),
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
export const describeFollowers = async (db: Queryable, followers: readonly FollowerDescription[]): Promise<void> => {
  await db.query(
    `update followers set stream = said.stream, kinds = said.kinds, behind_after_seconds = said."behindAfterSeconds"
     from jsonb_to_recordset($1::jsonb) as said (name text, stream text, kinds text[], "behindAfterSeconds" int)
     where followers.name = said.name and (followers.stream, followers.kinds, behind_after_seconds)
       is distinct from (said.stream, said.kinds, said."behindAfterSeconds")`,
    [JSON.stringify(followers)],
  );
};

/** SQL, on a row and a cursor of `followers`: it was read with the pages of a backlog so far. */
export const isPaged = (row: string): string =>
  `coalesce(${row}.seq <= page_after and pg_visible_in_snapshot(${row}.xid, page), false)`;

/** SQL: rows of a stream that a follower has not seen, or could not follow. */
export const unseenBy = (follower: string, stream: StreamName): string => `(
  select new.* from followers, lateral (${newSince(stream, "seen")}) as new where name = '${follower}' and not ${isPaged("new")}
  union all
  select ${stream}.* from follower_faults join ${stream} using (seq) where follower = '${follower}')`;

/** SQL: whether a follower is done with a row of its stream. For few rows: `unseenBy` uses an index. */
export const hasSeen = (follower: string, row: string): string => `(
  exists (select from followers where name = '${follower}' and (
    pg_visible_in_snapshot(${row}.xid, seen) or ${isPaged(row)}))
  and not exists (select from follower_faults where follower = '${follower}' and seq = ${row}.seq))`;

/** SQL: the time of the oldest that is unseen, by the order of transactions: a backlog is not looked through. */
const oldest = (stream: StreamName): string =>
  halvesSince(ENTRIES[stream], "seen")
    .map(
      (half) => `(select at from (${half}) as new
        where stream = '${stream}' and kind = any(kinds) and not ${isPaged("new")} order by xid limit 1)`,
    )
    .join(", ");

/** SQL: for each follower, since when its oldest unseen entry waits; null if it has seen all. What is stuck has an alarm of its own. */
export const FOLLOWER_LAGS = `
  select name, behind_after_seconds, least(${oldest("journal")}, ${oldest("openadr3_changes")},
    (select min(at) from follower_faults where follower = name and failures < ${STUCK_FAILURES})) as waits_since
  from followers`;

/** Since when the oldest entry waits for a follower; null: it has seen all. */
export const waitingSince = (db: Queryable, follower: string): Promise<Date | null> =>
  readFirst(db, ({ waits_since }: { waits_since: Date | null }) => waits_since, {
    text: `select waits_since from (${FOLLOWER_LAGS}) as lags where name = $1`,
    values: [follower],
  });

const faultFrom = ({ failures, ...entry }: FaultRow): FollowerFault => ({ entry, failures });
