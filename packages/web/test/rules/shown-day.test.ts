import { describe, expect, test } from "vitest";
import { noCurveWords, shownDay, stepped } from "../../src/rules/shown-day.js";

const CHICAGO = "America/Chicago";
const now = new Date("2026-11-03T03:00:00Z");
const day = (asked?: string) => shownDay(asked, CHICAGO, now);

describe("the day that a page shows", () => {
  test("is today on the clocks of the site, also for a day to come and for text that is none", () => {
    for (const asked of [undefined, "2026-11-02", "2026-11-03", "2026-02-30", "yesterday", ""])
      expect(day(asked)).toMatchObject({ day: "2026-11-02", isToday: true });
  });

  test("has 25 hours where the clocks go back", () => {
    const { start, end, isToday } = day("2026-11-01");
    expect(isToday).toBe(false);
    expect(end.getTime() - start.getTime()).toBe(25 * 3_600_000);
  });

  test("steps back and forth, and never past today", () => {
    expect(stepped(day(), -1)).toBe("2026-11-01");
    expect(stepped(day(), 1)).toBeNull();
    expect(stepped(day("2026-10-31"), 1)).toBe("2026-11-01");
    expect(stepped(day("2026-11-01"), 1)).toBeNull();
  });
});

test("a day without a curve has no readings only if none of them is of that day", () => {
  const now = new Date("2026-11-20T15:00:00Z");
  const [today, before] = [shownDay(undefined, "UTC", now), shownDay("2026-11-19", "UTC", now)];
  expect(noCurveWords(today, null)).toMatch(/^No readings today/);
  expect(noCurveWords(today, "2026-11-19T23:59:30Z")).toMatch(/^No readings today/);
  expect(noCurveWords(today, "2026-11-20T14:59:30Z")).toMatch(/^Too few readings/);
  expect(noCurveWords(before, "2026-11-20T14:59:30Z")).toBe("No readings that day.");
});
