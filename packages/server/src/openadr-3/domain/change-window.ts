/** How long a number that was skipped may still appear: no transaction runs longer. */
const MISSING_MS = 600_000;
/** A number is also skipped for good, when a transaction is rolled back. */
const MAX_MISSING = 1000;

/**
 * The changes that a reader has seen. Numbers are given before the commit, so that a smaller one may appear after a
 * greater one.
 */
export class ChangeWindow {
  private readonly missingSinceMs = new Map<number, number>();

  constructor(
    private newest: number,
    missing: readonly number[],
    nowMs: number,
  ) {
    for (const seq of missing) this.missingSinceMs.set(seq, nowMs);
  }

  /** The greatest that was seen. */
  get seq(): number {
    return this.newest;
  }

  /** Smaller ones that were not. */
  get missing(): readonly number[] {
    return [...this.missingSinceMs.keys()];
  }

  /** Notes changes as seen, in ascending order. */
  note(seqs: readonly number[], nowMs: number): void {
    for (const seq of seqs) {
      this.missingSinceMs.delete(seq);
      for (let skipped = Math.max(this.newest + 1, seq - MAX_MISSING); skipped < seq; skipped++)
        this.missingSinceMs.set(skipped, nowMs);
      this.newest = Math.max(this.newest, seq);
    }
    for (const [seq, sinceMs] of this.missingSinceMs)
      if (nowMs - sinceMs > MISSING_MS || this.missingSinceMs.size > MAX_MISSING) this.missingSinceMs.delete(seq);
  }
}
