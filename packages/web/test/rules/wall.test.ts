import { describe, expect, test } from "vitest";
import { entryScript, staleFor, turned, turnOf } from "../../src/rules/wall.js";

describe("a wall display", () => {
  test("shows running dispatches in turn", () => {
    expect([0, 14_999, 15_000, 44_999, 45_000].map((ms) => turnOf(3, ms))).toEqual([0, 0, 1, 2, 0]);
    expect(turnOf(1, 60_000)).toBe(0);
    expect(turnOf(0, 60_000)).toBe(0);
    expect([turned(0, -1, 3), turned(2, 1, 3)]).toEqual([2, 0]);
  });

  test("says how old its numbers are after half a minute, and nothing before the first", () => {
    expect(staleFor(1000, 31_000)).toBeNull();
    expect(staleFor(1000, 31_001)).toBe(30_001);
    expect(staleFor(0, 1_000_000)).toBeNull();
  });

  test("knows another version by its first script", () => {
    expect(entryScript('<script type="module" crossorigin src="/assets/index-a1.js"></script>')).toBe(
      "/assets/index-a1.js",
    );
    expect(entryScript("<p>Service unavailable</p>")).toBeNull();
  });
});
