import pg from "pg";
import type { JournalKind } from "../journal.js";

/** @param kinds of the entries that were committed together */
type Hear = (kinds: ReadonlySet<JournalKind>) => void;

/** Entries of the journal that this process commits to a database, over any of its pools. */
interface Commits {
  readonly heard: Set<Hear>;
}

/** Processes are notified on it, after commits that appended to the journal; only a hint to read. */
export const JOURNAL_CHANNEL = "curtail_journal";

/** By pool and by connection. */
const commitsOf = new WeakMap<object, Commits>();
/** Kinds that a transaction has appended so far. */
const uncommitted = new WeakMap<object, Set<JournalKind>>();

/** A pool whose commits are announced by themselves, or with those of another pool of the same database. */
export const tellCommits = (pool: pg.Pool, beside?: pg.Pool): pg.Pool => {
  const commits = (beside && commitsOf.get(beside)) ?? { heard: new Set() };
  commitsOf.set(pool, commits);
  return pool.on("connect", (client) => void commitsOf.set(client, commits));
};

/** Calls `hear` after each commit of this process that appended to the journal, until the returned function is called. */
export const onCommit = (pool: pg.Pool, hear: Hear): (() => void) => {
  const heard = commitsOf.get(pool)?.heard;
  heard?.add(hear);
  return () => void heard?.delete(hear);
};

/** Call after a statement that appended to the journal: outside a transaction it has been committed. */
export const appended = (db: object, ...kinds: readonly JournalKind[]): void => {
  if (db instanceof pg.Pool) return tell(db, new Set(kinds));
  const open = uncommitted.get(db) ?? new Set();
  for (const kind of kinds) open.add(kind);
  uncommitted.set(db, open);
};

/** Call at the end of a transaction. */
export const ended = (db: object, isCommitted: boolean): void => {
  const kinds = uncommitted.get(db);
  uncommitted.delete(db);
  if (isCommitted && kinds !== undefined) tell(db, kinds);
};

const tell = (db: object, kinds: ReadonlySet<JournalKind>): void => {
  for (const hear of commitsOf.get(db)?.heard ?? []) hear(kinds);
};
