import fc from "fast-check";
import { expect, test } from "vitest";
import { formatTimestamp, parseTimestamp } from "../src/timestamp.js";

// Every millisecond that RFC 3339 can write: years 0000 to 9999.
const anyMs = fc.integer({ min: Date.parse("0000-01-01T00:00:00Z"), max: Date.parse("9999-12-31T23:59:59.999Z") });

test.each([
  ["2026-07-01T18:00:00Z", "2026-07-01T18:00:00.000Z"],
  ["2026-07-01T23:30:00-05:30", "2026-07-02T05:00:00.000Z"],
  ["2026-07-01T18:00:00-00:00", "2026-07-01T18:00:00.000Z"],
  ["2026-07-01T18:00:00+23:59", "2026-06-30T18:01:00.000Z"],
  ["2026-07-01t18:00:00z", "2026-07-01T18:00:00.000Z"],
  ["2026-07-01T18:00:00.5Z", "2026-07-01T18:00:00.500Z"],
  ["2026-07-01T18:00:00.123999999Z", "2026-07-01T18:00:00.123Z"],
  ["2028-02-29T00:00:00Z", "2028-02-29T00:00:00.000Z"],
  ["1969-12-31T23:59:59Z", "1969-12-31T23:59:59.000Z"],
])("%s is read (G8)", (text, expected) => {
  expect(new Date(parseTimestamp(text)).toISOString()).toBe(expected);
});

test.each([
  "2026-07-01T18:00:00",
  "2030-02-30T00:00:00Z",
  "2026-02-29T00:00:00Z",
  "2026-04-31T00:00:00Z",
  "2026-13-01T00:00:00Z",
  "2026-01-00T00:00:00Z",
  "2026-07-01T24:00:00Z",
  "2016-12-31T23:59:60Z",
  "2026-07-01T18:00:00+24:00",
  "2026-07-01T18:00:00+0200",
  "2026-07-01 18:00:00Z",
  "2026-07-01T18:00Z",
  "2026-07-01T18:00:00.Z",
  "2026-07-01T18:00:00,5Z",
  "2026-07-01",
  "+12026-07-01T18:00:00Z",
  "2026-07-01T18:00:00Z ",
  "２０２６-07-01T18:00:00Z",
  "now",
  "",
])("%j is refused (G8)", (text) => {
  expect(parseTimestamp(text)).toBeNaN();
});

test("a formatted timestamp parses to the same millisecond, which is shown only if not 0", () => {
  expect(formatTimestamp(Date.UTC(2026, 6, 1, 18))).toBe("2026-07-01T18:00:00Z");
  fc.assert(fc.property(anyMs, (ms) => parseTimestamp(formatTimestamp(ms)) === ms));
});
