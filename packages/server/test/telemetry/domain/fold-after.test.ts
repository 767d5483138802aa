import { expect, test } from "vitest";
import {
  type FoldAfter,
  foldLookMs,
  foldUntilMs,
  unfoldedConditions,
} from "../../../src/telemetry/domain/fold-after.js";

const HOUR_MS = 3_600_000;
const SEVEN = Date.UTC(2026, 10, 30, 7);

/** Until when readings are folded at a time after seven o'clock, in seconds after it; `oldest` was appended so long after it. */
const foldedAt = (seconds: number, given: FoldAfter, oldest = -3000): number | null => {
  const size = { readings: 1, oldestMs: SEVEN + oldest * 1000, nowMs: SEVEN + seconds * 1000 };
  const untilMs = foldUntilMs(size, given);
  return untilMs === null ? null : (untilMs - SEVEN) / 1000;
};

test("an hour is folded five minutes after its end, with what came within half a minute of it", () => {
  expect(foldedAt(299, 3600)).toBeNull();
  expect([300, 301, 3899].map((seconds) => foldedAt(seconds, 3600))).toEqual([28.8, 28.8, 28.8]);
  expect(foldedAt(3900, 3600)).toBe(3628.8);
});

test("what came later is folded with the next hour", () => {
  expect(foldedAt(3000, 3600, 29)).toBeNull();
  expect(foldedAt(3000, 3600, 28.7)).toBe(28.8);
  expect(foldedAt(3900, 3600, 29)).toBe(3628.8);
});

test("shorter stretches are folded alike, and those of five minutes where nothing is set", () => {
  for (const given of [300, "off", null] as const) {
    expect(foldedAt(324.9, given, 30)).toBeNull();
    expect(foldedAt(325, given, 30)).toBe(302.4);
  }
  expect(foldedAt(65, 60, 30)).toBeCloseTo(60.48, 6);
  expect(foldedAt(3, 1, 0)).toBeCloseTo(2.008, 6);
});

test("whatever is set, no reading waits longer than that and a twelfth of it", () => {
  for (const given of [1, 7, 60, 300, 1800, 3600])
    for (let late = 0; late < 2 * given; late += given / 37)
      expect(foldedAt(late + given * (1 + 1 / 12), given, late - 0.001)).toBeGreaterThan(late - 0.001);
});

test("four million readings are folded whatever their age, and nothing is where there are none", () => {
  const size = { readings: 4_000_000, oldestMs: SEVEN, nowMs: SEVEN };
  expect(foldUntilMs(size, 3600)).toBe(Number.POSITIVE_INFINITY);
  expect(foldUntilMs({ ...size, readings: 3_999_999 }, 3600)).toBeNull();
  expect(foldUntilMs({ readings: 0, oldestMs: null, nowMs: SEVEN + HOUR_MS }, 1)).toBeNull();
});

test("looks are ten seconds apart, or less if that was set", () => {
  expect([foldLookMs(1), foldLookMs(300), foldLookMs(null)]).toEqual([1000, 10_000, 10_000]);
});

const minutes = (count: number) => count * 60_000;

test("a log that has not been folded five minutes after it was due raises an alarm, which says how late it is", () => {
  expect(unfoldedConditions(minutes(69.9), 3600)).toEqual([]);
  expect(unfoldedConditions(minutes(10.3), 300)).toEqual([]);
  expect(unfoldedConditions(minutes(10.3), 60)).toHaveLength(1);
  expect(unfoldedConditions(null, 60)).toEqual([]);
  expect(unfoldedConditions(minutes(10.5), null)).toEqual([
    {
      kind: "readings_unfolded",
      subject: "log",
      accountId: null,
      message: expect.stringMatching(/^The oldest reading of the log was appended 10 minutes ago\./),
    },
  ]);
});
