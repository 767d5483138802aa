import { describe, expect, test } from "vitest";
import { isSoon, nextAttemptMs, untilAttemptMs } from "../../src/rules/delivery.js";

const due = (next_attempt_at: string | null) => ({ next_attempt_at });
const now = new Date("2026-07-01T18:00:00Z");

describe("the next attempt of deliveries", () => {
  test("is the earliest of them, and none where all is settled", () => {
    const next = nextAttemptMs([due("2026-07-01T18:00:54Z"), due(null), due("2026-07-01T18:00:06Z")]);
    expect(next).toBe(Date.parse("2026-07-01T18:00:06Z"));
    expect(nextAttemptMs([due(null)])).toBeNull();
    expect(nextAttemptMs([])).toBeNull();
  });

  test("is soon within a minute, and when it was due before", () => {
    expect(isSoon(now.getTime() + 59_999, now)).toBe(true);
    expect(isSoon(now.getTime() + 60_000, now)).toBe(false);
    expect(isSoon(now.getTime() - 3_600_000, now)).toBe(true);
  });

  test("is being made once its time has come", () => {
    expect(untilAttemptMs(due("2026-07-01T18:00:06Z"), now)).toBe(6000);
    expect(untilAttemptMs(due("2026-07-01T18:00:00Z"), now)).toBe(0);
    expect(untilAttemptMs(due("2026-07-01T17:00:00Z"), now)).toBe(0);
    expect(untilAttemptMs(due(null), now)).toBeNull();
  });
});
