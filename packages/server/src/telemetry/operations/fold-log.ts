import { type FoldAfter, foldUntilMs, type LogSize } from "../domain/fold-after.js";

const FOLD_AGAIN_MS = 100;
const MOST_FOLDS = 100;

/** What a fold did. */
export interface Folded {
  readonly readings: number;
  /** Whether more could have been folded. */
  readonly leavesMore: boolean;
}

export interface LogStore {
  /** Null: the database has no log. */
  size(): Promise<LogSize | null>;
  /**
   * Writes the oldest readings of the log into hour rows, some millions at most, in one transaction; null while another process
   * does so.
   *
   * @param untilMs what was appended until then, by the clock of the database
   */
  fold(untilMs: number): Promise<Folded | null>;
}

/** A look at the log, which folds it if that is due. */
export const foldIfDue = async (store: LogStore, after: FoldAfter): Promise<Folded | null> => {
  const size = await store.size();
  const untilMs = size === null ? null : foldUntilMs(size, after);
  return untilMs === null ? null : store.fold(untilMs);
};

/** Folds until nothing is left; false if that takes too long, as beside a transaction that stays open. */
export const foldAll = async (store: LogStore, clock: { sleep(ms: number): Promise<unknown> }): Promise<boolean> => {
  for (let nth = 0; nth < MOST_FOLDS; nth++) {
    await store.fold(Number.POSITIVE_INFINITY);
    if (((await store.size())?.readings ?? 0) === 0) return true;
    await clock.sleep(FOLD_AGAIN_MS);
  }
  return false;
};
