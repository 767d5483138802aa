/** A result for each item, in their order; nothing if the items have none. */
type Results<O> = [O] extends [void] ? void : readonly O[];

export interface Batching<I, O> {
  /** Answers a result for each item, in their order. */
  readonly work: (items: readonly I[]) => Promise<Results<O>>;
  /** Batches under way at the same time; one unless said. */
  readonly atOnce?: number;
  /** Items of a batch. */
  readonly most?: number;
  /** Ends when the first item has waited long enough for others; unless said, they have the same turn only. */
  readonly gather?: (signal: AbortSignal) => Promise<void>;
  /** Items of the same key are never in one batch. */
  readonly keyOf?: (item: I) => string;
  /** Whether single items made the batch fail: then each is tried by itself. */
  readonly isItemAtFault?: (error: unknown) => boolean;
}

interface Waiting<I, O> {
  readonly item: I;
  readonly resolve: (result: O) => void;
  readonly reject: (error: unknown) => void;
}

const MOST = 500;

/**
 * Does for many at once what is asked for one by one: what comes while batches are under way waits for the next. Nobody
 * joins a batch that has begun, so no answer is older than its question.
 */
export class Batcher<I, O = void> {
  private waiting: Array<Waiting<I, O>> = [];
  /** The items have waited long enough. */
  private isDue = false;
  private isGathering = false;
  private gatherEnd: AbortController | undefined;
  private underWay = 0;

  constructor(private readonly batching: Batching<I, O>) {}

  /** Answers the item's result; throws why its batch failed. */
  add(item: I): Promise<O> {
    return new Promise((resolve, reject) => {
      this.waiting.push({ item, resolve, reject });
      if (!this.isGathering) this.gather();
    });
  }

  /** Nothing more is to come soon: what waits need not wait for others. */
  flush(): void {
    this.gatherEnd?.abort();
    this.release();
  }

  private gather(): void {
    this.isGathering = true;
    if (this.batching.gather === undefined) return queueMicrotask(() => this.release());
    const { signal } = (this.gatherEnd = new AbortController());
    void this.batching.gather(signal).then(() => {
      if (!signal.aborted) this.release();
    });
  }

  private release(): void {
    this.isGathering = false;
    this.isDue = true;
    while (this.underWay < (this.batching.atOnce ?? 1) && this.waiting.length > 0) void this.runDue();
  }

  private async runDue(): Promise<void> {
    this.underWay += 1;
    while (this.isDue && this.waiting.length > 0) await this.run(this.take());
    this.underWay -= 1;
  }

  private take(): Array<Waiting<I, O>> {
    const { most = MOST, keyOf } = this.batching;
    const batch = keyOf === undefined ? this.waiting.splice(0, most) : this.takeDistinct(most, keyOf);
    this.isDue = this.waiting.length > 0;
    return batch;
  }

  private takeDistinct(most: number, keyOf: (item: I) => string): Array<Waiting<I, O>> {
    const batch = new Map<string, Waiting<I, O>>();
    const left: Array<Waiting<I, O>> = [];
    for (const each of this.waiting) {
      const key = keyOf(each.item);
      if (batch.size < most && !batch.has(key)) batch.set(key, each);
      else left.push(each);
    }
    this.waiting = left;
    return [...batch.values()];
  }

  private async run(batch: ReadonlyArray<Waiting<I, O>>): Promise<void> {
    try {
      const results: readonly O[] | void = await this.batching.work(batch.map(({ item }) => item));
      if (results !== undefined && results.length !== batch.length)
        throw new Error(`${batch.length} items have ${results.length} results`);
      for (const [index, { resolve }] of batch.entries()) resolve(results?.[index] as O);
    } catch (error) {
      if (batch.length > 1 && this.batching.isItemAtFault?.(error) === true)
        await Promise.all(batch.map(async (each) => this.run([each])));
      else for (const { reject } of batch) reject(error);
    }
  }
}
