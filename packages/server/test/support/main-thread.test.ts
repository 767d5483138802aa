import { setTimeout as sleep } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect, test } from "vitest";
import { watchTurns } from "./main-thread.js";

const workFor = (ms: number): void => {
  const end = performance.now() + ms;
  while (performance.now() < end);
};

test("a turn that works for long is found", async () => {
  const longestMs = watchTurns();
  await sleep(5);
  workFor(400);
  await sleep(5);
  // Of the processor, a busy machine gives less than the clock says.
  expect(await longestMs()).toBeGreaterThan(20);
});

test("the collection of garbage is none of a turn's work", async () => {
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc") as () => void;
  const longestMs = watchTurns();
  await sleep(5);
  for (let nth = 0; nth < 20; nth++) collect();
  await sleep(5);
  expect(await longestMs()).toBeLessThan(50);
});
