import { describe, expect, test } from "vitest";
import { localesOf } from "../src/format/locale.js";

const at = new Date("2026-11-20T17:05:00Z");
const dateIn = (locale: string): string =>
  new Intl.DateTimeFormat(localesOf(locale).dates, { dateStyle: "medium", timeStyle: "short", timeZone: "UTC" })
    .format(at)
    // Some versions of ICU separate with narrow spaces.
    .replaceAll(/\s/g, " ");
const numberIn = (locale: string): string => new Intl.NumberFormat(localesOf(locale).numbers).format(12_345.6);

describe("dates and numbers", () => {
  test.each([
    ["en-US", "Nov 20, 2026, 5:05 PM", "12,345.6"],
    ["en-GB", "20 Nov 2026, 17:05", "12,345.6"],
    ["de-DE", "20.11.2026, 17:05", "12.345,6"],
    ["es-ES", "20 nov 2026, 17:05", "12.345,6"],
  ])("of a page in %s are both of its language", (locale, date, number) => {
    expect([dateIn(locale), numberIn(locale)]).toEqual([date, number]);
  });

  test("have hours without a zero in front only on clocks of twelve hours", () => {
    expect(["en-US", "en-GB", "de-DE"].map((locale) => localesOf(locale).hour)).toEqual([
      "numeric",
      "2-digit",
      "2-digit",
    ]);
  });

  test("are in Latin digits wherever the browser is from", () => {
    expect(numberIn("ar-EG")).toMatch(/^12.345.6$/);
  });
});
