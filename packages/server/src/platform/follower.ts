import type { Within } from "./answer-once.js";
import type { Cursor, JournalEntry, JournalKind, StreamName } from "./journal.js";
import { NewerFormat } from "./newer-format.js";

/** A cursor as alarms and metrics know it. */
export interface FollowerDescription {
  /** Key of its cursor, which a migration makes. */
  readonly name: string;
  /** What it reads. */
  readonly stream: StreamName;
  readonly kinds: readonly JournalKind[];
  /** An entry that is seen later than this raises an alarm; null: another alarm reports it. */
  readonly behindAfterSeconds: number | null;
}

/** Makes something follow what changes: one file in `<module>/followers/`, listed in `app/followers.ts`. */
export interface Follower<Stores> extends FollowerDescription {
  /** Whether it reads the state of what an entry is about, so that of entries that say the same the last is enough; or gets each entry. */
  readonly by: "subject" | "entry";
  /** Most entries of a transaction: as many as it handles within a second. */
  readonly atOnce: number;
  /**
   * Makes what follows these entries, in order, within two seconds; effect and cursor are committed together. Longer work is
   * marked, and done by a worker.
   *
   * @returns `more`: call again with the same entries, in a transaction of its own
   */
  handle(batch: readonly JournalEntry[], within: Within<Stores>): Promise<{ readonly more: boolean }>;
  /** The same from the state alone; returns whether anything had to change. */
  rebuild(within: Within<Stores>): Promise<boolean>;
}

/** What a follower has not seen, and its cursor afterwards. */
export interface Unseen {
  /** In order of `seq`. */
  readonly entries: readonly JournalEntry[];
  readonly next: Cursor;
  /** If these entries are to be read again. */
  readonly again: Cursor;
  readonly movedAt: Date;
  /** Whether there may be more than these. */
  readonly hasMore: boolean;
  /** Whether entries wait that it could not follow, and whether one is to be tried now. */
  readonly hasFaults: boolean;
  readonly hasDueFault: boolean;
}

/** An entry that was not followed, the first of its subject. */
export interface FollowerFault {
  readonly entry: JournalEntry;
  readonly failures: number;
}

/** Why an entry was not followed. */
export interface FollowerFailure {
  readonly failures: number;
  readonly error: string;
  readonly at: Date;
  readonly nextAttemptAt: Date;
}

/** Cursors of followers, over the transaction that they move in. */
export interface FollowerStore {
  /** Locks the cursor until the end of the transaction, and reads what is new; null: another process is at it. */
  take(
    name: string,
    reading: Pick<FollowerDescription, "stream" | "kinds"> & { readonly most: number; readonly now: Date },
  ): Promise<Unseen | null>;
  move(name: string, cursor: Cursor, at: Date): Promise<void>;
  /** Sets entries aside whose subject waits for an earlier one; returns their numbers. */
  hold(name: string, entries: readonly JournalEntry[], at: Date): Promise<ReadonlySet<number>>;
  setAside(name: string, entry: JournalEntry, failure: FollowerFailure): Promise<void>;
  /** The first of a subject whose next attempt is due. */
  dueFault(name: string, now: Date): Promise<FollowerFault | null>;
  failAgain(name: string, seq: number, failure: FollowerFailure): Promise<void>;
  /** Forgets a fault; the next entry of its subject is due. */
  settle(name: string, seq: number, at: Date): Promise<void>;
}

/** The cursor of a follower whose effect is outside of the database, so that it cannot be locked meanwhile. */
export interface CursorLease {
  /** A cursor of null: another process has it until then. */
  take(
    holder: string,
    times: { readonly now: Date; readonly until: Date },
  ): Promise<{ readonly cursor: Cursor | null; readonly until: Date }>;
  /** false: another process took it since, or it was given up. */
  renew(holder: string, until: Date): Promise<boolean>;
  /** The same. */
  move(holder: string, cursor: Cursor, at: Date): Promise<boolean>;
  release(holder: string): Promise<void>;
}

/** After so many failures an entry counts as stuck, and is tried rarely. */
export const STUCK_FAILURES = 5;
const RETRY_SECONDS = [1, 2, 5, 10, 30] as const;
const RARE_RETRY_SECONDS = 300;
/** What waits for a newer version does not fail more often. */
const NEWER_SECONDS = 10;
/** Enough to recognise it; the log has all of it. */
const ERROR_CHARACTERS = 300;

/** @param failures before */
export const failureOf = (error: unknown, failures: number, at: Date): FollowerFailure => {
  const isNewer = error instanceof NewerFormat;
  const count = isNewer ? failures : failures + 1;
  const seconds = isNewer ? NEWER_SECONDS : (RETRY_SECONDS[count - 1] ?? RARE_RETRY_SECONDS);
  const message = error instanceof Error ? error.message : String(error);
  return {
    failures: count,
    error: message.slice(0, ERROR_CHARACTERS),
    at,
    nextAttemptAt: new Date(at.getTime() + seconds * 1000),
  };
};

/** The last of entries that say the same of a subject, in order. */
export const lastOfEach = (entries: readonly JournalEntry[]): readonly JournalEntry[] => {
  const last = new Map(entries.map((entry) => [sayingOf(entry), entry]));
  return entries.filter((entry) => entry.subject === "" || last.get(sayingOf(entry)) === entry);
};

/** What entries of these kinds are about. */
export const subjectsOf = (entries: readonly JournalEntry[], kinds: readonly JournalKind[]): string[] =>
  entries.filter(({ kind }) => kinds.some((each) => each === kind)).map(({ subject }) => subject);

/** The rows that entries of these kinds are about, of production alone. */
export const productionRefsOf = (entries: readonly JournalEntry[], kinds: readonly JournalKind[]): readonly number[] =>
  entries.flatMap(({ environment, kind, ref }) =>
    environment === "production" && ref !== null && kinds.some((each) => each === kind) ? [ref] : [],
  );

const sayingOf = ({ environment, kind, subject, accounts }: JournalEntry): string =>
  JSON.stringify([environment, kind, subject, accounts]);
