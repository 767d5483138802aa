import { describe, expect, test } from "vitest";
import { after, ENDLESS, formatDuration, lengthMs, parseDuration } from "../../src/mapping/duration.js";

const at = (text: string): Date => new Date(text);
const read = (text: string) => {
  const duration = parseDuration(text);
  if (duration === null) throw new Error(`${text} is no duration`);
  return duration;
};

test.each([
  [0, "PT0S"],
  [1, "PT1S"],
  [60, "PT1M"],
  [5400, "PT1H30M"],
  [86_399, "PT23H59M59S"],
  [86_400, "P1D"],
  [90_061, "P1DT1H1M1S"],
  [31 * 86_400, "P31D"],
])("%d seconds are %s", (seconds, text) => {
  expect(formatDuration(seconds)).toBe(text);
  expect(lengthMs(read(text))).toBe(seconds * 1000);
});

test("fractions of seconds are rounded up when written, and kept when read", () => {
  expect(formatDuration(0.001)).toBe("PT1S");
  expect(lengthMs(read("PT1.5S"))).toBe(1500);
});

test.each([-1, Number.NaN, Number.POSITIVE_INFINITY])("%d seconds cannot be written", (seconds) => {
  expect(() => formatDuration(seconds)).toThrow(RangeError);
});

test.each(["", "P", "PT", "1H", "P1H", "PT1D", "P1W2D", "P1Y1W1D", "P1D ", "p1d", "P1.5D", "PT99999999999H"])(
  "%j is no duration",
  (text) => {
    expect(parseDuration(text)).toBeNull();
  },
);

test("a negative duration goes back", () => {
  expect(lengthMs(read("-PT15M"))).toBe(-900_000);
  expect(after(at("2026-07-01T18:00:00Z"), read("-P1M"))).toEqual(at("2026-06-01T18:00:00Z"));
});

describe("the end of a duration", () => {
  test.each([
    ["2026-01-31T12:00:00Z", "P1M", "2026-02-28T12:00:00Z"],
    ["2028-01-31T12:00:00Z", "P1M", "2028-02-29T12:00:00Z"],
    ["2028-02-29T00:00:00Z", "P1Y", "2029-02-28T00:00:00Z"],
    ["2026-11-30T00:00:00Z", "P1Y2M3DT4H", "2028-02-02T04:00:00Z"],
    ["2026-03-29T00:00:00Z", "P1D", "2026-03-30T00:00:00Z"],
    ["2026-07-01T00:00:00Z", "P2W", "2026-07-15T00:00:00Z"],
  ])("%s and %s is %s", (start, duration, end) => {
    expect(after(at(start), read(duration))).toEqual(at(end));
  });

  test.each([ENDLESS, "P8000Y", "P999999999Y", "P999999999D"])("%s has none", (duration) => {
    expect(after(at("2026-07-01T00:00:00Z"), read(duration))).toBeNull();
  });

  test("the length of years and months depends on where they begin", () => {
    expect(lengthMs(read("P1M"))).toBeNull();
    expect(lengthMs(read(ENDLESS))).toBeNull();
  });
});
