/** Counts by key; those at 0 take no memory. */
export class Tally {
  private readonly counts = new Map<string, number>();

  of(key: string): number {
    return this.counts.get(key) ?? 0;
  }

  add(key: string, count: number): void {
    const sum = this.of(key) + count;
    if (sum === 0) this.counts.delete(key);
    else this.counts.set(key, sum);
  }
}
