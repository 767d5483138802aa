import { describe, expect, test } from "vitest";
import { lostAge, lostWords } from "../../src/rules/lost-stream.js";

const ZONE = "America/Chicago";
const now = new Date("2026-11-24T05:30:00Z");

describe("a page that lost its connection", () => {
  test.each([
    ["2026-11-24T05:29:20Z", "Connection lost at 23:29", ", 40 s ago"],
    ["2026-11-23T20:00:00Z", "Connection lost at 14:00", ", 9 h 30 min ago"],
    ["2026-11-23T05:59:00Z", "Connection lost at Sun 22 Nov, 23:59", ", 23 h 31 min ago"],
    ["2025-11-23T20:00:00Z", "Connection lost at Sun 23 Nov 2025, 14:00", ", 365 d 9 h ago"],
  ])("says since when, with the day if it was another one: %s", (heard, words, age) => {
    expect(lostWords(new Date(heard), now, ZONE)).toBe(words);
    expect(lostAge(new Date(heard), now)).toBe(age);
  });

  test("has no age if it never heard the service, nor one below zero if the clock was set back", () => {
    expect(lostWords(null, now, ZONE) + lostAge(null, now)).toBe("Connection lost");
    expect(lostAge(new Date(now.getTime() + 5000), now)).toBe(", 0 s ago");
  });
});
