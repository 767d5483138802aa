import { describe, expect, test } from "vitest";
import { asOfWords, lostAge, lostWords, stalenessOf } from "../../src/rules/lost-stream.js";

const ZONE = "America/Chicago";
const now = new Date("2026-11-24T05:30:00Z");

describe("a page that lost its connection", () => {
  test.each([
    ["2026-11-24T05:29:20Z", "No update since 23:29", "No update for 0:40"],
    ["2026-11-23T20:00:00Z", "No update since 14:00", "No update for 9:30:00"],
    ["2026-11-23T05:59:00Z", "No update since Sun 22 Nov, 23:59", "No update for 23:31:00"],
    ["2025-11-23T20:00:00Z", "No update since Sun 23 Nov 2025, 14:00", "No update for 365 d 9 h"],
  ])("says since when, with the day if it was another one: %s", (heard, words, age) => {
    expect(lostWords(new Date(heard), now, ZONE)).toBe(words);
    expect(lostAge(new Date(heard), now)).toBe(age);
  });

  test("mutes its numbers after half a minute, and after two asks to phone", () => {
    const after = (seconds: number) => stalenessOf(new Date(now.getTime() - seconds * 1000), now);
    expect([0, 30, 31, 120, 121].map(after)).toEqual(["recent", "recent", "stale", "stale", "old"]);
    expect(stalenessOf(null, now)).toBe("recent");
    expect(asOfWords(new Date("2026-11-24T05:29:20Z"), now, ZONE)).toBe("as of 23:29:20");
    expect(asOfWords(new Date("2026-11-23T05:59:00Z"), now, ZONE)).toBe("as of Sun 22 Nov, 23:59");
  });

  test("has no age if it never heard the service, nor one below zero if the clock was set back", () => {
    expect([lostWords(null, now, ZONE), lostAge(null, now)]).toEqual(["Not connected", "Not connected"]);
    expect(lostAge(new Date(now.getTime() + 5000), now)).toBe("No update for 0:00");
  });
});
