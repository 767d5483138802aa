/**
 * Kinds of journal entries, by noun. Modules add theirs next to their nouns; every action of the audit log is a kind, too
 * (`access/domain/audit.ts`).
 */
export interface JournalKinds {
  alarm: "alarm.raise" | "alarm.clear";
}

export type JournalKind = JournalKinds[keyof JournalKinds];

/** Tables that are appended to and followed: changes of OpenADR 3, which come at the rate of reports, have no entries in the journal. */
export type StreamName = "journal" | "openadr3_changes";

/** A change to be appended, with the transaction that makes it. */
export interface NewEntry {
  readonly at: Date;
  readonly kind: JournalKind;
  /** Id of the noun; "" if it is about several. */
  readonly subject: string;
  /** The row that it is about: a notice, a version, a change. */
  readonly ref?: number;
  /** Accounts that it concerns; absent: any. */
  readonly accounts?: readonly string[];
}

/** An entry as written by any version. */
export interface JournalEntry {
  readonly seq: number;
  readonly environment: "production" | "sandbox";
  readonly at: Date;
  readonly kind: string;
  readonly subject: string;
  readonly ref: number | null;
  readonly accounts: readonly string[] | null;
}

/** How far a reader is: everything that was visible in a snapshot, and of a backlog since then what was read in pages. */
export interface Cursor {
  /** A `pg_snapshot`. */
  readonly seen: string;
  /** The snapshot at which the pages of a backlog end; null between backlogs. */
  readonly page: string | null;
  /** The last entry read of the backlog. */
  readonly pageAfter: number;
}

/** Up to a row of those that were read. */
export const cursorAfter = (before: Cursor, read: Cursor, seq: number): Cursor => ({
  seen: before.seen,
  page: read.page ?? read.seen,
  pageAfter: seq,
});

export interface Journal {
  /**
   * Appends in the transaction of the store. Lock the subject first and append last: its entries are then in the order of
   * their commits.
   */
  append(entries: readonly NewEntry[]): Promise<void>;
}
