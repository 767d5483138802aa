import { expect, test } from "vitest";
import { bySite, isOverlapping, type Overlap } from "../../../src/dispatch/domain/overlap.js";
import { inTurns } from "../../../src/platform/turns.js";

const NOW = new Date("2026-07-01T12:00:00Z");
const inHours = (hours: number): Date => new Date(NOW.getTime() + hours * 3_600_000);
const period = (from: number, to: number | null) => ({ start: inHours(from), end: to === null ? null : inHours(to) });

test.each([
  [true, [1, 3], [2, 4]],
  [true, [1, 4], [2, 3]],
  [false, [1, 2], [2, 3]],
  // Without an end: 24 hours from the start, or from now once it runs.
  [true, [1, null], [24.9, 30]],
  [false, [1, null], [25, 30]],
  [true, [-100, null], [23.9, 30]],
  [false, [-100, null], [24, 30]],
  [true, [-100, null], [-50, -40]],
  [true, [1, null], [2, null]],
] as const)("it is %s that %j overlaps with %j, whichever is asked first", (expected, [a, b], [c, d]) => {
  expect(isOverlapping(period(a, b), period(c, d), NOW)).toBe(expected);
  expect(isOverlapping(period(c, d), period(a, b), NOW)).toBe(expected);
});

const overlap = (dispatchId: string, siteIds: readonly string[]): Overlap => ({
  ...period(1, 2),
  dispatchId,
  programName: "Peak",
  test: false,
  siteIds,
});

test("the overlaps of a site keep their order", async () => {
  const [first, second] = [overlap("first", ["a", "b"]), overlap("second", ["b"])];
  expect([...(await inTurns(bySite([first, second])))]).toEqual([
    ["a", [first]],
    ["b", [first, second]],
  ]);
});
