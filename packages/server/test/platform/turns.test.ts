import { expect, test } from "vitest";
import { turns } from "../../src/platform/turns.js";

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
