import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { pastDispatches } from "../src/past.js";

const DAY_MS = 86_400_000;

describe("the dispatches of the past", () => {
  test("are three, of weekdays, over for hours and for less than a week, with enough days before them", () => {
    const times = fc.integer({ min: Date.UTC(2026, 0, 1), max: Date.UTC(2030, 0, 1) });
    fc.assert(
      fc.property(times, (nowMs) => {
        const past = pastDispatches(nowMs, 21);
        expect(past).toHaveLength(3);
        for (const { startMs, endMs, heardMs } of past) {
          expect([0, 6]).not.toContain(new Date(startMs).getUTCDay());
          expect(heardMs).toBeLessThanOrEqual(startMs);
          expect(endMs).toBeLessThan(nowMs - 2 * 3_600_000);
          expect(endMs).toBeGreaterThan(nowMs - 7 * DAY_MS);
        }
      }),
    );
  });

  test("are none if there are too few days before them", () => {
    expect(pastDispatches(Date.UTC(2026, 6, 3), 9)).toEqual([]);
  });
});
