import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { formatTimestamp, parseTimestamp } from "../../src/platform/timestamp.js";

// Every millisecond that RFC 3339 can write: years 0000 to 9999.
const anyMs = fc.integer({ min: Date.parse("0000-01-01T00:00:00Z"), max: Date.parse("9999-12-31T23:59:59.999Z") });
const offsetMinutes = fc.integer({ min: -(23 * 60 + 59), max: 23 * 60 + 59 });

const offsetText = (minutes: number): string => {
  const size = Math.abs(minutes);
  const [hours, rest] = [Math.floor(size / 60), size % 60].map((part) => String(part).padStart(2, "0"));
  return `${minutes < 0 ? "-" : "+"}${hours}:${rest}`;
};

describe("a timestamp that comes in (G8)", () => {
  test.each([
    ["in UTC", "2026-07-01T18:00:00Z", "2026-07-01T18:00:00.000Z"],
    ["east of UTC", "2026-07-01T20:00:00+02:00", "2026-07-01T18:00:00.000Z"],
    ["west of UTC, over midnight", "2026-07-01T23:30:00-05:30", "2026-07-02T05:00:00.000Z"],
    ["with an unknown offset", "2026-07-01T18:00:00-00:00", "2026-07-01T18:00:00.000Z"],
    ["in lower case", "2026-07-01t18:00:00z", "2026-07-01T18:00:00.000Z"],
    ["with one digit of fraction", "2026-07-01T18:00:00.5Z", "2026-07-01T18:00:00.500Z"],
    ["finer than a millisecond: the rest is cut", "2026-07-01T18:00:00.123999999Z", "2026-07-01T18:00:00.123Z"],
    ["on a leap day", "2028-02-29T00:00:00Z", "2028-02-29T00:00:00.000Z"],
    ["on the leap day of a century", "2000-02-29T00:00:00Z", "2000-02-29T00:00:00.000Z"],
    ["before 1970", "1969-12-31T23:59:59Z", "1969-12-31T23:59:59.000Z"],
  ])("is read %s", (_, text, expected) => {
    expect(new Date(parseTimestamp(text)).toISOString()).toBe(expected);
  });

  test.each([
    ["no offset", "2026-07-01T18:00:00"],
    ["a day that is not", "2030-02-30T00:00:00Z"],
    ["29 February of a common year", "2026-02-29T00:00:00Z"],
    ["29 February of a common century", "2100-02-29T00:00:00Z"],
    ["31 April", "2026-04-31T00:00:00Z"],
    ["month 0", "2026-00-01T00:00:00Z"],
    ["month 13", "2026-13-01T00:00:00Z"],
    ["day 0", "2026-01-00T00:00:00Z"],
    ["24:00", "2026-07-01T24:00:00Z"],
    ["minute 60", "2026-07-01T18:60:00Z"],
    ["a leap second", "2016-12-31T23:59:60Z"],
    ["an offset of 24 hours", "2026-07-01T18:00:00+24:00"],
    ["an offset with minute 60", "2026-07-01T18:00:00+01:60"],
    ["an offset without colon", "2026-07-01T18:00:00+0200"],
    ["an offset in hours only", "2026-07-01T18:00:00+02"],
    ["a zone's name", "2026-07-01T18:00:00[Europe/Paris]"],
    ["a space for the T", "2026-07-01 18:00:00Z"],
    ["no seconds", "2026-07-01T18:00Z"],
    ["a dot without digits", "2026-07-01T18:00:00.Z"],
    ["a comma for the dot", "2026-07-01T18:00:00,5Z"],
    ["a date only", "2026-07-01"],
    ["the basic form", "20260701T180000Z"],
    ["a week date", "2026-W27-3T18:00:00Z"],
    ["a year of five digits", "+12026-07-01T18:00:00Z"],
    ["a negative year", "-002026-07-01T18:00:00Z"],
    ["text after it", "2026-07-01T18:00:00Z "],
    ["text before it", " 2026-07-01T18:00:00Z"],
    ["two offsets", "2026-07-01T18:00:00ZZ"],
    ["a sign within", "2026-07-01T18:-1:00Z"],
    ["digits of another script", "２０２６-07-01T18:00:00Z"],
    ["Unix seconds", "1782928800"],
    ["now", "now"],
    ["infinity", "infinity"],
    ["nothing", ""],
  ])("is refused with %s", (_, text) => {
    expect(parseTimestamp(text)).toBeNaN();
  });

  test("of any offset names the same moment as the platform's own reading of it", () => {
    fc.assert(
      fc.property(anyMs, offsetMinutes, (ms, minutes) => {
        const local = new Date(ms + minutes * 60_000).toISOString();
        fc.pre(/^\d{4}-/.test(local));
        expect(parseTimestamp(local.replace("Z", offsetText(minutes)))).toBe(ms);
      }),
    );
  });
});

describe("a timestamp that goes out", () => {
  test("is UTC with Z, and shows milliseconds only if not zero", () => {
    expect(formatTimestamp(Date.UTC(2026, 6, 1, 18))).toBe("2026-07-01T18:00:00Z");
    expect(formatTimestamp(new Date(Date.UTC(2026, 6, 1, 18, 0, 0, 20)))).toBe("2026-07-01T18:00:00.020Z");
  });

  test("comes back as the same millisecond, whichever it is", () => {
    fc.assert(
      fc.property(anyMs, (ms) => {
        expect(parseTimestamp(formatTimestamp(ms))).toBe(ms);
      }),
    );
  });
});
