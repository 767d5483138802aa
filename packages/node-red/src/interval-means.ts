/** The meter or site that a value is of; exactly one of the two. */
export type Source = { readonly meter_id: string } | { readonly site_id: string };

/** The mean of the values of one interval. */
export interface IntervalMean {
  readonly source: Source;
  /** End of the interval, in milliseconds of Unix time. */
  readonly endMs: number;
  /** In kW. */
  readonly mean: number;
}

interface Sum {
  readonly source: Source;
  readonly endMs: number;
  readonly total: number;
  readonly count: number;
}

/** The end of the interval that a moment belongs to: `(start, end]`, in milliseconds of Unix time. */
export const intervalEnd = (atMs: number, intervalMs: number): number => Math.ceil(atMs / intervalMs) * intervalMs;

/** Gathers values by source and interval. An interval without a value has no mean: nothing is made up. */
export class IntervalMeans {
  private readonly sums = new Map<string, Sum>();

  constructor(private readonly intervalMs: number) {}

  /** @param kW at `atMs`, in milliseconds of Unix time */
  add(source: Source, kW: number, atMs: number): void {
    const endMs = intervalEnd(atMs, this.intervalMs);
    const key = `${endMs} ${JSON.stringify(source)}`;
    const { total, count } = this.sums.get(key) ?? { total: 0, count: 0 };
    this.sums.set(key, { source, endMs, total: total + kW, count: count + 1 });
  }

  /** The means of intervals that ended by `nowMs`, oldest first; Infinity takes the running ones, too. */
  take(nowMs: number): readonly IntervalMean[] {
    const ended = [...this.sums].filter(([, { endMs }]) => endMs <= nowMs);
    for (const [key] of ended) this.sums.delete(key);
    return ended
      .map(([, { source, endMs, total, count }]) => ({ source, endMs, mean: total / count }))
      .toSorted((a, b) => a.endMs - b.endMs);
  }
}
