import { expect, test } from "vitest";
import { Batcher, type Batching } from "../../src/platform/batcher.js";

/** Doubles numbers; each batch is under way until the test ends it. */
const doubling = (options: Partial<Batching<number, number>> = {}) => {
  const batches: Array<{ readonly items: readonly number[]; end(error?: Error): void }> = [];
  const batcher = new Batcher<number, number>({
    work: (items) =>
      new Promise((resolve, reject) => {
        const end = (error?: Error): void =>
          error === undefined ? resolve(items.map((item) => item * 2)) : reject(error);
        batches.push({ items, end });
      }),
    ...options,
  });
  const addAll = (...items: number[]) => items.map(async (item) => batcher.add(item));
  const ask = (...items: number[]): void => items.forEach((item) => void batcher.add(item));
  const end = (index: number, error?: Error): void => batches[index]?.end(error);
  const begun = () => batches.map(({ items }) => items);
  const hasBegun = (...expected: number[][]) => expect.poll(begun).toEqual(expected);
  return { batcher, addAll, ask, end, begun, hasBegun };
};

test("what is asked for in one turn is one batch, and each gets its own result", async () => {
  const { addAll, end, hasBegun } = doubling();
  const results = addAll(1, 2, 3);
  await hasBegun([1, 2, 3]);
  end(0);
  expect(await Promise.all(results)).toEqual([2, 4, 6]);
});

test("what comes while a batch is under way waits for the next one, together", async () => {
  const { addAll, ask, end, hasBegun } = doubling();
  ask(1);
  await hasBegun([1]);
  ask(2);
  await Promise.resolve();
  const [last] = addAll(3);
  await hasBegun([1]);
  end(0);
  await hasBegun([1], [2, 3]);
  end(1);
  expect(await last).toBe(6);
});

test("as many batches as are allowed are under way at the same time", async () => {
  const { ask, end, hasBegun } = doubling({ atOnce: 2 });
  for (const item of [1, 2, 3]) {
    ask(item);
    await Promise.resolve();
  }
  await hasBegun([1], [2]);
  end(1);
  await hasBegun([1], [2], [3]);
});

test("a batch has no more items than allowed", async () => {
  const { addAll, end, hasBegun } = doubling({ most: 2 });
  const results = addAll(1, 2, 3);
  await hasBegun([1, 2]);
  end(0);
  await hasBegun([1, 2], [3]);
  end(1);
  expect(await Promise.all(results)).toEqual([2, 4, 6]);
});

test("a failure is that of its batch only; the next one is tried", async () => {
  const { addAll, end, hasBegun } = doubling({ most: 2 });
  const results = addAll(1, 2, 3);
  const settled = Promise.allSettled(results);
  await hasBegun([1, 2]);
  end(0, new Error("away"));
  await hasBegun([1, 2], [3]);
  end(1);
  expect((await settled).map(({ status }) => status)).toEqual(["rejected", "rejected", "fulfilled"]);
});

test("where single items are at fault, each is tried by itself", async () => {
  const refusing = new Batcher<number, number>({
    work: async (items) => {
      if (items.includes(2)) throw new Error("refused");
      return items;
    },
    isItemAtFault: (error) => error instanceof Error && error.message === "refused",
  });
  const results = await Promise.allSettled([1, 2, 3].map(async (item) => refusing.add(item)));
  expect(results.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
});

test("results that are not one for each item are a failure, not somebody else's results", async () => {
  const forgetful = new Batcher<number, number>({ work: async (items) => items.slice(1) });
  await expect(forgetful.add(1)).rejects.toThrow("1 items have 0 results");
});

test("items of one key go in batches of their own, in their order", async () => {
  const { ask, end, hasBegun } = doubling({ keyOf: (item) => String(item % 10) });
  ask(1, 11, 2);
  await hasBegun([1, 2]);
  end(0);
  await hasBegun([1, 2], [11]);
});

test("a batch begins when the first item has waited for others, or when no more are to come", async () => {
  const waits: Array<() => void> = [];
  const gather = (signal: AbortSignal): Promise<void> =>
    new Promise((resolve) => {
      waits.push(resolve);
      signal.addEventListener("abort", () => resolve());
    });
  const { batcher, ask, end, begun, hasBegun } = doubling({ gather });
  ask(1);
  await Promise.resolve();
  ask(2);
  expect(begun()).toEqual([]);
  waits[0]?.();
  await hasBegun([1, 2]);
  end(0);
  ask(3);
  batcher.flush();
  await hasBegun([1, 2], [3]);
  end(1);
  ask(4);
  await Promise.resolve();
  expect(begun()).toEqual([[1, 2], [3]]);
});

test("what is flushed while a batch is under way goes right after it", async () => {
  const { batcher, ask, end, hasBegun } = doubling({ gather: () => new Promise(() => {}) });
  ask(1);
  batcher.flush();
  await hasBegun([1]);
  ask(2);
  batcher.flush();
  ask(3);
  end(0);
  await hasBegun([1], [2, 3]);
});
