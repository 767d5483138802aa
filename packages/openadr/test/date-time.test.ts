import { expect, test } from "vitest";
import { formatDateTime, parseDateTime } from "../src/date-time.js";

test("a time is written in UTC with whole seconds and a Z", () => {
  expect(formatDateTime(new Date("2026-06-01T14:00:00.999+02:00"))).toBe("2026-06-01T12:00:00Z");
});

test.each([
  ["2026-06-01T12:00:00Z", "2026-06-01T12:00:00.000Z"],
  ["2026-06-01T12:00:00.25Z", "2026-06-01T12:00:00.250Z"],
  ["2026-06-01T12:00:00.123456789Z", "2026-06-01T12:00:00.123Z"],
  ["2026-06-01T12:00:00", "2026-06-01T12:00:00.000Z"],
  ["2026-06-01T14:00:00+02:00", "2026-06-01T12:00:00.000Z"],
])("%s is read", (text, iso) => {
  expect(parseDateTime(text)?.toISOString()).toBe(iso);
});

test.each([
  "",
  "now",
  "2026-06-01",
  "2026-06-01T12:00Z",
  "2026-13-01T12:00:00Z",
  "2026-06-01T25:00:00Z",
  "12026-06-01T12:00:00Z",
])("'%s' is none", (text) => {
  expect(parseDateTime(text)).toBeNull();
});
