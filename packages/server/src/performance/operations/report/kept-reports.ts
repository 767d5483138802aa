import type { Clock } from "../../../platform/clock.js";

/** How long a report is kept after a page of it was asked for. */
const KEPT_MS = 60_000;
/** Rows of all kept reports, of about a kilobyte. */
const MOST_ROWS = 40_000;

interface Report {
  readonly rows: readonly unknown[];
}

interface Kept<R> {
  readonly report: R;
  readonly untilMs: number;
}

/** Reports with more pages than one, so that the next page need not add up the whole period again. */
export class KeptReports<R extends Report> {
  private readonly kept = new Map<string, Kept<R>>();

  constructor(private readonly clock: Clock) {}

  /** @param key what was asked, and by whom: another viewer may see other sites */
  find(key: string): R | null {
    this.forgetOld();
    const report = this.kept.get(key)?.report ?? null;
    if (report !== null) this.keep(key, report);
    return report;
  }

  keep(key: string, report: R): void {
    this.forgetOld();
    this.kept.delete(key);
    this.kept.set(key, { report, untilMs: this.clock.now().getTime() + KEPT_MS });
    let rows = [...this.kept.values()].reduce((sum, each) => sum + each.report.rows.length, 0);
    for (const [oldest, kept] of this.kept) {
      if (rows <= MOST_ROWS) break;
      this.kept.delete(oldest);
      rows -= kept.report.rows.length;
    }
  }

  private forgetOld(): void {
    const nowMs = this.clock.now().getTime();
    for (const [key, { untilMs }] of this.kept) if (untilMs <= nowMs) this.kept.delete(key);
  }
}
