import { type FoldAfter, isFoldDue, type LogSize } from "../domain/fold-after.js";

/** What a fold did. */
export interface Folded {
  readonly readings: number;
}

export interface LogStore {
  /** Null: the database has no log. */
  size(): Promise<LogSize | null>;
  /** Writes readings of the log into hour rows, in one transaction; null while another process does so. */
  fold(): Promise<Folded | null>;
}

/** A look at the log, which folds it if that is due. */
export const foldIfDue = async (store: LogStore, after: FoldAfter): Promise<Folded | null> => {
  const size = await store.size();
  return size === null || !isFoldDue(size, after) ? null : store.fold();
};
