import { describe, expect, test } from "vitest";
import { entryScript, staleFor } from "../../src/rules/wall.js";

describe("a wall display", () => {
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
