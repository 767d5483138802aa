import { setTimeout } from "node:timers/promises";
import { expect, onTestFinished, test } from "vitest";
import { repeatWoken, Waker } from "../../src/run/loops.js";

const HOUR_MS = 3_600_000;

/** A loop that runs once an hour. */
const hourly = (work: (count: number, waker: Waker) => Promise<number | void>, leastMs = 0) => {
  const stopping = new AbortController();
  const waker = new Waker();
  const failures: unknown[] = [];
  let runs = 0;
  const running = repeatWoken(
    { everyMs: HOUR_MS, leastMs, waker },
    stopping.signal,
    () => work(++runs, waker),
    (error) => void failures.push(error),
  );
  const stop = async () => {
    stopping.abort();
    await running;
  };
  onTestFinished(stop);
  return { waker, failures, stop, runs: () => runs };
};

test("a loop that is woken runs again at once, and stops at once", async () => {
  const { waker, runs, stop } = hourly(async () => {});
  await expect.poll(runs).toBe(1);
  waker.wake();
  await expect.poll(runs).toBe(2);
  await stop();
  expect(runs()).toBe(2);
});

test("a loop that is woken while it runs, runs once more, and a failure does not end it", async () => {
  const { runs, failures } = hourly(async (count, waker) => {
    if (count > 1) return;
    for (let times = 0; times < 3; times++) waker.wake();
    throw new Error("the first fails");
  });
  await expect.poll(runs).toBe(2);
  await setTimeout(20);
  expect(runs()).toBe(2);
  expect(failures).toEqual([new Error("the first fails")]);
});

test.for([
  ["the service says", async (): Promise<number> => HOUR_MS, 0],
  ["the loop allows", async (): Promise<void> => {}, HOUR_MS],
] as const)("a loop that is woken does not run sooner than %s", async ([, work, leastMs]) => {
  const { waker, runs } = hourly(work, leastMs);
  await expect.poll(runs).toBe(1);
  waker.wake();
  await setTimeout(20);
  expect(runs()).toBe(1);
});
