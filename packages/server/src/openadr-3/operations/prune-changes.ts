import type { Clock } from "../../platform/clock.js";
import { DAY_MS } from "../../platform/period.js";

/** A publisher or subscriber that was away for longer reads the objects instead. */
const KEPT_DAYS = 7;
const AT_ONCE = 500;

/** The outbox of changes. */
export interface ChangeArchive {
  /**
   * Removes changes from before a moment with their notifications, of the next so many; not what is still to be queued
   * or sent, nor notifications about dispatches, which are evidence. Returns the last one it looked at; null: no more.
   */
  removeSome(range: { readonly after: number; readonly before: Date; readonly limit: number }): Promise<number | null>;
}

/** Removes old changes, a few at a time. */
export class ChangePruning {
  private after = 0;

  constructor(
    private readonly archive: ChangeArchive,
    private readonly clock: Clock,
  ) {}

  async step(): Promise<{ readonly isDone: boolean }> {
    const before = new Date(this.clock.now().getTime() - KEPT_DAYS * DAY_MS);
    const last = await this.archive.removeSome({ after: this.after, before, limit: AT_ONCE });
    this.after = last ?? 0;
    return { isDone: last === null };
  }
}
