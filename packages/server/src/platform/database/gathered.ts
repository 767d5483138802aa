interface Waiting<I, O> {
  readonly item: I;
  readonly resolve: (result: O) => void;
  readonly reject: (error: unknown) => void;
}

const MAX_BATCH = 500;

/**
 * Combines single calls into batches: calls that arrive while `atOnce` batches are running wait for the next one. No
 * call joins a running batch, so no result is older than its call.
 */
export const gathered = <I, O>(
  work: (items: readonly I[]) => Promise<readonly O[]>,
  atOnce = 2,
): ((item: I) => Promise<O>) => {
  const waiting: Array<Waiting<I, O>> = [];
  let underWay = 0;
  const runBatch = async (): Promise<void> => {
    const batch = waiting.splice(0, MAX_BATCH);
    try {
      const results = await work(batch.map(({ item }) => item));
      for (const [index, { resolve }] of batch.entries()) resolve(results[index] as O);
    } catch (error) {
      for (const { reject } of batch) reject(error);
    }
  };
  const runAll = async (): Promise<void> => {
    underWay++;
    while (waiting.length > 0) await runBatch();
    underWay--;
  };
  return (item) =>
    new Promise((resolve, reject) => {
      waiting.push({ item, resolve, reject });
      // In a microtask, so that calls of one turn go out together.
      if (underWay < atOnce) queueMicrotask(() => void (underWay < atOnce && waiting.length > 0 && runAll()));
    });
};
