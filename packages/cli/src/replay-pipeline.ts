import type { Batch } from "./replay-batch.js";

export interface Pipeline {
  readonly concurrency: number;
  upload(batch: Batch): Promise<void>;
  /** This batch and all before it are stored. */
  acknowledged(batch: Batch): void;
  /** Stops on abort, and aborts at the first failure, so that nothing waits for a retry. */
  readonly stopping: AbortController;
}

/**
 * Sends batches, a few at a time. One that may fill the same cells as one in flight waits for it, because the later
 * line of a file must win. Acknowledges them in order, even if they complete out of order.
 */
export const sendAll = async (batches: AsyncIterable<Batch>, pipeline: Pipeline): Promise<void> => {
  const underWay = new Map<Batch, Promise<void>>();
  const unacknowledged: Batch[] = [];
  const stored = new Set<Batch>();
  let failure: { readonly error: unknown } | undefined;

  const run = async (batch: Batch): Promise<void> => {
    try {
      await pipeline.upload(batch);
      stored.add(batch);
      for (let first = unacknowledged[0]; first !== undefined && stored.delete(first); first = unacknowledged[0]) {
        unacknowledged.shift();
        pipeline.acknowledged(first);
      }
    } catch (error) {
      failure ??= { error };
      pipeline.stopping.abort("failed");
    } finally {
      underWay.delete(batch);
    }
  };
  const mustWait = (batch: Batch): boolean =>
    underWay.size >= pipeline.concurrency || [...underWay.keys()].some((other) => other.meets(batch));

  try {
    for await (const batch of batches) {
      while (mustWait(batch)) await Promise.race(underWay.values());
      if (pipeline.stopping.signal.aborted) break;
      unacknowledged.push(batch);
      underWay.set(batch, run(batch));
    }
  } finally {
    await Promise.all(underWay.values());
  }
  if (failure !== undefined) throw failure.error;
};
