import { expect, test } from "vitest";
import { TurnByTurn, turns } from "../../src/platform/turns.js";

test("long work lets others have a turn", async () => {
  const othersTurn = turns();
  let hadTurn = false;
  setImmediate(() => {
    hadTurn = true;
  });
  const beganMs = performance.now();
  while (performance.now() - beganMs < 20);
  await othersTurn();
  expect(hadTurn).toBe(true);
});

test("pieces of work that come at once run in their order, and others have turns in between", async () => {
  const work = new TurnByTurn();
  const seen: Array<number | "other"> = [];
  const pieces = Array.from({ length: 5 }, (_, index) => index);
  const all = Promise.all(
    pieces.map(
      (piece) =>
        new Promise<void>((resolve) =>
          work.run(() => {
            const beganMs = performance.now();
            while (performance.now() - beganMs < 10);
            setImmediate(() => void seen.push("other"));
            seen.push(piece);
            resolve();
          }),
        ),
    ),
  );
  await all;
  expect(seen).toEqual([0, "other", 1, "other", 2, "other", 3, "other", 4]);
});

test("an urgent piece goes before those that wait", async () => {
  const work = new TurnByTurn();
  const seen: number[] = [];
  await new Promise<void>((resolve) => {
    for (const piece of [1, 2]) work.run(() => void seen.push(piece));
    work.run(() => void seen.push(0), true);
    work.run(resolve);
  });
  expect(seen).toEqual([0, 1, 2]);
});
