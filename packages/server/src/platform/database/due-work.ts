import type { Queryable } from "./database.js";

/** A kind of work that waits in the database. */
export interface DueWork {
  /** Unique in a process. */
  readonly name: string;
  /** SQL: the time at which the next of it is due, found by an index; `epoch` for what is due at once. `$1` is now. */
  readonly next: string;
}

/** Reads when the next of each kind is due, in one statement; null for a kind of which there is none. */
export const dueTimes =
  (db: Queryable) =>
  async (kinds: readonly DueWork[], now: Date): Promise<ReadonlyArray<Date | null>> => {
    const columns = kinds.map(({ name, next }) => `(${next}) as "${name}"`);
    const { rows } = await db.query<Record<string, Date | null>>({
      // Kinds are only added, so that their number distinguishes one text from another.
      name: `timetable-of-${kinds.length}`,
      text: `select ${columns.join(", ")} where $1::timestamptz is not null`,
      values: [now],
    });
    return kinds.map(({ name }) => rows[0]?.[name] ?? null);
  };

/** Condition on an item of a queue: no worker holds it. */
export const IS_UNLEASED = "(leased_until is null or leased_until <= $1)";
