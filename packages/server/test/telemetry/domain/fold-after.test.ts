import { expect, test } from "vitest";
import { foldLookMs, isFoldDue, unfoldedConditions } from "../../../src/telemetry/domain/fold-after.js";

test("the log is folded once its oldest reading has waited as long as was set, or after five minutes", () => {
  for (const [given, seconds] of [
    [60, 60],
    [600, 600],
    ["off", 300],
    [null, 300],
  ] as const) {
    expect(isFoldDue({ readings: 1, ageMs: seconds * 1000 - 1 }, given)).toBe(false);
    expect(isFoldDue({ readings: 1, ageMs: seconds * 1000 }, given)).toBe(true);
  }
});

test("four million readings are folded whatever their age, and nothing is where there are none", () => {
  expect(isFoldDue({ readings: 4_000_000, ageMs: 0 }, 600)).toBe(true);
  expect(isFoldDue({ readings: 3_999_999, ageMs: 0 }, 600)).toBe(false);
  expect(isFoldDue({ readings: 0, ageMs: null }, 1)).toBe(false);
});

test("looks are ten seconds apart, or less if that was set", () => {
  expect([foldLookMs(1), foldLookMs(300), foldLookMs(null)]).toEqual([1000, 10_000, 10_000]);
});

const minutes = (count: number) => count * 60_000;

test("a log that has not been folded five minutes after it was due raises an alarm, which says how late it is", () => {
  expect(unfoldedConditions(minutes(9.9), 300)).toEqual([]);
  expect(unfoldedConditions(minutes(9.9), 60)).toHaveLength(1);
  expect(unfoldedConditions(null, 60)).toEqual([]);
  expect(unfoldedConditions(minutes(10), null)).toEqual([
    {
      kind: "readings_unfolded",
      subject: "log",
      accountId: null,
      message: expect.stringMatching(/^The oldest reading of the log was appended 10 minutes ago\./),
    },
  ]);
});
