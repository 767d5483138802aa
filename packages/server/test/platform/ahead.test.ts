import { expect, test } from "vitest";
import { eachOfAhead } from "../../src/platform/ahead.js";

/** Pieces of two numbers, and how many of them were read. */
const counted = (pieces: number, failsAt = Number.POSITIVE_INFINITY) => {
  let read = 0;
  let isClosed = false;
  async function* source() {
    try {
      for (; read < pieces; ) {
        if (read === failsAt) throw new Error("the connection broke");
        read += 1;
        yield [2 * read - 1, 2 * read];
      }
    } finally {
      isClosed = true;
    }
  }
  return { source: source(), read: () => read, isClosed: () => isClosed };
};

test("the next piece is read while the items of one are used, and no more than that", async () => {
  const { source, read } = counted(4);
  const seen: number[][] = [];
  for await (const item of eachOfAhead(source)) seen.push([item, read()]);
  expect(seen).toEqual([
    [1, 2],
    [2, 2],
    [3, 3],
    [4, 3],
    [5, 4],
    [6, 4],
    [7, 4],
    [8, 4],
  ]);
});

test("a reader that leaves ends the source", async () => {
  const { source, read, isClosed } = counted(4);
  for await (const item of eachOfAhead(source)) if (item === 1) break;
  expect(read()).toBe(2);
  expect(isClosed()).toBe(true);
});

test("an error reaches the reader after the items that were read before it", async () => {
  const { source } = counted(4, 1);
  const seen: number[] = [];
  const reading = async () => {
    for await (const item of eachOfAhead(source)) seen.push(item);
  };
  await expect(reading()).rejects.toThrow("the connection broke");
  expect(seen).toEqual([1, 2]);
});
