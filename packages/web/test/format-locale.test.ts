import { describe, expect, test } from "vitest";
import { localesOf } from "../src/format/locale.js";

const at = new Date("2026-11-20T17:05:00Z");
const dateIn = (language: string): string =>
  new Intl.DateTimeFormat(localesOf(language).dates, { dateStyle: "medium", timeStyle: "short", timeZone: "UTC" })
    .format(at)
    // Some versions of ICU separate with narrow spaces.
    .replaceAll(/\s/g, " ");
const numberIn = (language: string): string => new Intl.NumberFormat(localesOf(language).numbers).format(12_345.6);

describe("dates and numbers", () => {
  test.each([
    ["en-US", "Nov 20, 2026, 5:05 PM", "12,345.6"],
    ["en", "Nov 20, 2026, 5:05 PM", "12,345.6"],
    ["en-GB", "20 Nov 2026, 17:05", "12,345.6"],
    ["de", "20 Nov 2026, 17:05", "12.345,6"],
  ])(
    "of a browser in %s have English words in the order of its region, and its separators",
    (language, date, number) => {
      expect([dateIn(language), numberIn(language)]).toEqual([date, number]);
    },
  );

  test("have hours without a zero in front only on clocks of twelve hours", () => {
    expect(["en-US", "en-GB", "de"].map((language) => localesOf(language).hour)).toEqual([
      "numeric",
      "2-digit",
      "2-digit",
    ]);
  });

  test("are in Latin digits wherever the browser is from", () => {
    expect(numberIn("ar-EG")).toMatch(/^12.345.6$/);
  });

  test("are international for a language that is none", () => {
    expect(localesOf("")).toEqual({ dates: "en-GB", hour: "2-digit", numbers: "en-GB" });
  });
});
