import type { Clock } from "./clock.js";
import { DAY_MS } from "./period.js";

const AT_ONCE = 500;

/** Rows with a number that are kept for a time only. */
export interface PrunedRows {
  /**
   * Removes rows from before a moment, of the next so many after a number, except those that are still needed. Returns
   * the number to go on after; null: no more.
   */
  removeSome(range: { readonly after: number; readonly before: Date; readonly limit: number }): Promise<number | null>;
}

/** Removes old rows, a few at a time. */
export class Pruning {
  private after = 0;

  constructor(
    private readonly rows: PrunedRows,
    private readonly clock: Clock,
    private readonly keptDays: number,
    private readonly limit = AT_ONCE,
  ) {}

  async step(): Promise<{ readonly isDone: boolean }> {
    const before = new Date(this.clock.now().getTime() - this.keptDays * DAY_MS);
    const last = await this.rows.removeSome({ after: this.after, before, limit: this.limit });
    this.after = last ?? 0;
    return { isDone: last === null };
  }
}
