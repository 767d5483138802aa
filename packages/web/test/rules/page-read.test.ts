import { describe, expect, test } from "vitest";
import { isRead } from "../../src/rules/page-read.js";

const NOW = Date.UTC(2026, 6, 1, 18);
const MINUTE = 60_000;

describe("a page is read", () => {
  test("when it is in front, from a click or key on for five minutes", () => {
    for (const ago of [0, 5 * MINUTE]) expect(isRead({ isVisible: true, lastInputMs: NOW - ago }, NOW)).toBe(true);
  });

  test("by nobody in the background, long after the last click, or since it reloaded itself", () => {
    expect(isRead({ isVisible: false, lastInputMs: NOW }, NOW)).toBe(false);
    expect(isRead({ isVisible: true, lastInputMs: NOW - 5 * MINUTE - 1 }, NOW)).toBe(false);
    expect(isRead({ isVisible: true, lastInputMs: null }, NOW)).toBe(false);
  });
});
