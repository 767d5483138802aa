import { performance } from "node:perf_hooks";
import { expect, onTestFinished, test } from "vitest";
import { wakeWhenDue } from "../../../src/notification/worker/notice-timer.js";
import { sleep } from "../../../src/platform/database/database-clock.js";

const clock = { now: () => new Date(), sleep };

/** How late it woke for a notice due in this many milliseconds, and how often it looked until then. */
const lateness = async (aheadMs: number): Promise<{ lateMs: number; looks: number }> => {
  const dueMs = performance.now() + aheadMs;
  const due = new Date(Date.now() + aheadMs);
  let looks = 0;
  const nextDueAt = async (): Promise<Date> => {
    looks += 1;
    return due;
  };
  const wokenMs = await new Promise<number>((resolve, reject) => {
    onTestFinished(wakeWhenDue({ nextDueAt, clock, wake: () => resolve(performance.now()), onError: reject }));
  });
  return { lateMs: wokenMs - dueMs, looks };
};

test("wakes when the notice is due, not before, without asking all the time", async () => {
  const { lateMs, looks } = await lateness(600);
  // Timers and the two clocks differ by a millisecond or two.
  expect(lateMs).toBeGreaterThan(-3);
  expect(looks).toBeLessThan(10);
});

test("continues after a failed look, and reports it", async () => {
  const errors: unknown[] = [];
  let looks = 0;
  const nextDueAt = async (): Promise<Date> => {
    looks += 1;
    if (looks === 1) throw new Error("no database");
    return new Date(0);
  };
  await new Promise<void>((wake) => {
    onTestFinished(wakeWhenDue({ nextDueAt, clock, wake, onError: (error) => errors.push(error) }));
  });
  expect(errors).toHaveLength(1);
});
