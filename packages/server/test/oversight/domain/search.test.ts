import { describe, expect, test } from "vitest";
import { startsOf } from "../../../src/oversight/domain/search.js";

const dayOf = (at: Date, hours: number) => new Date(at.getTime() + hours * 3_600_000).toISOString().slice(0, 10);

/** As days of UTC; zones reach 15 hours beyond. */
const daysOf = (needle: string) => {
  const starts = startsOf(needle);
  if (starts === null) return null;
  return [dayOf(starts.from, 15), dayOf(starts.to, -39)];
};

describe("the days that begin with a text", () => {
  test.each([
    ["2026", "2026-01-01", "2026-12-31"],
    ["2026-0", "2026-01-01", "2026-09-30"],
    ["2026-1", "2026-10-01", "2026-12-31"],
    ["2026-02", "2026-02-01", "2026-02-28"],
    ["2028-02-2", "2028-02-20", "2028-02-29"],
    ["2026-12-31", "2026-12-31", "2026-12-31"],
  ])("%s: %s to %s", (needle, first, last) => {
    expect(daysOf(needle)).toEqual([first, last]);
  });

  test.each(["", "202", "20266", "2026-13", "2026-02-30", "2026-06-15x", "06-15", "Store 2026"])(
    "%j: none",
    (needle) => {
      expect(daysOf(needle)).toBeNull();
    },
  );
});
