import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { formatDuration, parseDuration } from "../src/duration.js";

test.each([
  [0, "PT0S"],
  [1, "PT1S"],
  [59, "PT59S"],
  [60, "PT1M"],
  [3600, "PT1H"],
  [5400, "PT1H30M"],
  [86_399, "PT23H59M59S"],
  [86_400, "P1D"],
  [90_061, "P1DT1H1M1S"],
  [31 * 86_400, "P31D"],
])("%d seconds are %s", (seconds, text) => {
  expect(formatDuration(seconds)).toBe(text);
  expect(parseDuration(text)).toBe(seconds);
});

test("fractions are rounded up, so that no duration but 0 reads as endless", () => {
  expect(formatDuration(0.001)).toBe("PT1S");
  expect(formatDuration(59.2)).toBe("PT1M");
});

test.each([-1, Number.NaN, Number.POSITIVE_INFINITY])("%d seconds are refused", (seconds) => {
  expect(() => formatDuration(seconds)).toThrow(RangeError);
});

test("every number of seconds comes back, in the form the schema asks for", () => {
  fc.assert(
    fc.property(fc.nat(), (seconds) => {
      const text = formatDuration(seconds);
      expect(text).toMatch(/^P(\d+D)?(T(\d+H)?(\d+M)?(\d+S)?)?$/);
      expect(text).not.toMatch(/^P$|T$/);
      expect(parseDuration(text)).toBe(seconds);
    }),
  );
});

describe("durations as others write them", () => {
  test.each([
    ["PT60M", 3600],
    ["+PT60M", 3600],
    ["PT90S", 90],
    ["P1W", 604_800],
    ["PT0H0M0S", 0],
    ["P0D", 0],
    ["P1DT0S", 86_400],
  ])("%s is %d seconds", (text, seconds) => {
    expect(parseDuration(text)).toBe(seconds);
  });

  test.each(["", "P", "PT", "P1DT", "1H", "PT1.5S", "-PT1H", "P1M", "P1Y", "PT1H ", "PT1S1H", "P1W1D"])(
    "'%s' is none",
    (text) => {
      expect(parseDuration(text)).toBeNull();
    },
  );

  test("a long run of digits is refused at once", () => {
    expect(parseDuration(`PT${"1".repeat(100_000)}`)).toBeNull();
  });
});
