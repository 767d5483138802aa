import type { Clock } from "../../platform/clock.js";
import { DAY_MS } from "../../platform/period.js";

const AT_ONCE = 200;

/** Events and reports that are kept no longer. */
export interface ObjectArchive {
  /** Removes so many events that ended before a moment, with their reports, and reports from before. Returns how many. */
  removeSome(before: Date, limit: number): Promise<number>;
}

/** Removes ended events and old reports, a few at a time. Their readings, and the evidence of dispatches, are kept. */
export const pruneObjects =
  (archive: ObjectArchive, clock: Clock, keptDays: number) => async (): Promise<{ readonly isDone: boolean }> => ({
    isDone: (await archive.removeSome(new Date(clock.now().getTime() - keptDays * DAY_MS), AT_ONCE)) < AT_ONCE,
  });
