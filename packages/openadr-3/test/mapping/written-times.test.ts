import { formatDuration } from "@curtail/openadr/duration";
import { expect, test } from "vitest";
import { fixedMs } from "../../src/mapping/fixed-length.js";
import { formatMoment } from "../../src/mapping/written-times.js";

test.each([
  [0, "PT0S"],
  [1, "PT1S"],
  [60, "PT1M"],
  [5400, "PT1H30M"],
  [86_399, "PT23H59M59S"],
  [86_400, "P1D"],
  [90_061, "P1DT1H1M1S"],
  [31 * 86_400, "P31D"],
])("%d seconds, written as %s, have a fixed length", (seconds, text) => {
  expect(formatDuration(seconds)).toBe(text);
  expect(fixedMs(text)).toBe(seconds * 1000);
});

test.each(["P1M", "P1Y", "P9999Y", "1H", `PT${"9".repeat(400)}S`])("%s has no fixed length", (text) => {
  expect(fixedMs(text)).toBeNull();
});

test("a moment is written in UTC with a Z, with milliseconds only if it has any", () => {
  expect(formatMoment(new Date("2026-07-01T20:00:00+02:00"))).toBe("2026-07-01T18:00:00Z");
  expect(formatMoment(new Date("2026-07-01T18:00:00.050Z"))).toBe("2026-07-01T18:00:00.050Z");
});
