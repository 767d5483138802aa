import { expect, test, vi } from "vitest";
import { PacedWorker } from "../../../src/platform/worker/paced-worker.js";

/** A clock on which each step takes 20 ms, and sleeps are noted; those of a stopped loop end at once. */
const stepping = (steps: number) => {
  const sleptMs: number[] = [];
  let nowMs = 0;
  let left = steps;
  const clock = {
    now: () => new Date(nowMs),
    monotonicMs: () => nowMs,
    async sleep(ms: number, signal?: AbortSignal): Promise<void> {
      sleptMs.push(ms);
      // The long rest ends only when the loop is stopped.
      if (ms >= 60_000 && signal?.aborted === false)
        await new Promise((resolve) => signal.addEventListener("abort", resolve));
    },
  };
  const step = async () => {
    nowMs += 20;
    return { days: 1, isDone: left-- === 0 };
  };
  return { clock, step, sleptMs };
};

test.each([
  [1, 0],
  [0.5, 20],
  [0.1, 180],
])("with a share of %d, it rests %d ms after a step of 20 ms", async (share, restMs) => {
  const { clock, step, sleptMs } = stepping(3);
  let days = 0;
  const observe = (done: { days: number }) => void (days += done.days);
  const worker = new PacedWorker({ step, clock, share, idleMs: 600_000, observe, onError: () => {} });
  worker.start();
  await vi.waitUntil(() => sleptMs.length === 4);
  expect(sleptMs).toEqual([...Array.from({ length: 3 }, () => expect.closeTo(restMs)), 600_000]);
  expect(days).toBe(4);
  await worker.stop();
});
