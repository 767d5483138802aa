import { expect, test } from "vitest";
import { formatMonth, keptFromMs, monthOf, startOfMonthMs } from "../../../src/telemetry/domain/retention.js";

test.each([
  ["2026-07-05T23:59:59Z", 400, "2025-05-01"],
  ["2026-07-06T00:00:00Z", 400, "2025-06-01"],
  ["2026-01-31T12:00:00Z", 31, "2025-12-01"],
  ["2024-03-31T00:00:00Z", 31, "2024-02-01"],
])("at %s, with %d days to keep, readings are kept from %s on", (now, days, from) => {
  expect(new Date(keptFromMs(new Date(now), days)).toISOString()).toBe(`${from}T00:00:00.000Z`);
});

test("a month begins with its first moment and ends with the next", () => {
  const month = monthOf(Date.parse("2025-12-31T23:59:59.999Z"));
  expect(formatMonth(month)).toBe("2025-12");
  expect(startOfMonthMs(month + 1)).toBe(Date.parse("2026-01-01T00:00:00Z"));
  expect(monthOf(startOfMonthMs(month + 1))).toBe(month + 1);
});
