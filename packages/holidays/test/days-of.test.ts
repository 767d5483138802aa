import { propertyRuns } from "@curtail/testing/property-runs";
import Holidays from "date-holidays";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type CalendarDay, calendarNames, type DaysOf, daysOf } from "../src/index.js";

const days = (found: DaysOf): readonly CalendarDay[] => {
  if ("nearest" in found) throw new Error(`no such calendar; near: ${found.nearest.join()}`);
  return found.days;
};
const datesOf = (code: string, from: number, to = from): string[] =>
  days(daysOf(code, [from, to])).map(({ date }) => date);

const named = (code: string, year: number, date: string) =>
  days(daysOf(code, [year, year])).find((day) => day.date === date);

describe("a calendar", () => {
  test("of NERC keeps a holiday of a Sunday on the Monday, and one of a Saturday where it is", () => {
    // https://www.nerc.com, Additional Off-peak Days.
    const published = {
      2026: ["2026-01-01", "2026-05-25", "2026-07-04", "2026-09-07", "2026-11-26", "2026-12-25"],
      2027: ["2027-01-01", "2027-05-31", "2027-07-05", "2027-09-06", "2027-11-25", "2027-12-25"],
      2028: ["2028-01-01", "2028-05-29", "2028-07-04", "2028-09-04", "2028-11-23", "2028-12-25"],
    };
    for (const [year, dates] of Object.entries(published)) expect(datesOf("NERC", Number(year))).toEqual(dates);
    expect(datesOf("NERC", 2026, 2028)).toEqual(Object.values(published).flat());
  });

  test("has the substitute days, also one in the year before", () => {
    // January 1, 2022 was a Saturday.
    expect(datesOf("US", 2021)).toEqual(
      expect.arrayContaining(["2021-07-04", "2021-07-05", "2021-12-24", "2021-12-31"]),
    );
    expect(datesOf("US", 2022)[0]).toBe("2022-01-01");
  });

  test("has the days that a holiday covers at noon", () => {
    // From the evening before for three and a half days; eves from noon on do not count.
    const turkey = datesOf("TR", 2026).filter((date) => date.startsWith("2026-03"));
    expect(turkey).toEqual(["2026-03-20", "2026-03-21", "2026-03-22"]);
    expect(datesOf("GT", 2026)).not.toContain("2026-12-24");
    // From 18:00 of April 1.
    expect(datesOf("IL", 2026)[0]).toBe("2026-04-02");
  });

  test("names days in English and in the language of the country, and joins what falls on one day", () => {
    expect(named("DE-BY", 2026, "2026-04-03")).toEqual({
      date: "2026-04-03",
      name: "Good Friday",
      localName: "Karfreitag",
    });
    expect(named("US", 2026, "2026-09-07")?.name).toBe("Labor Day");
    // Ascension Day of 2008 was on May 1.
    expect(named("DE", 2008, "2008-05-01")?.name).toBe("Labour Day / Ascension Day");
  });

  test("is found in any case; an unknown one has the nearest codes, by code and by name", () => {
    expect(daysOf("us-ca", [2026, 2026])).toMatchObject({
      code: "US-CA",
      name: "United States of America, California",
    });
    expect(daysOf("US-KA", [2026, 2026])).toMatchObject({ nearest: expect.arrayContaining(["US-CA", "US-KS"]) });
    expect(daysOf("californa", [2026, 2026])).toMatchObject({ nearest: expect.arrayContaining(["US-CA"]) });
    expect(daysOf("x".repeat(100_000), [2026, 2026])).toHaveProperty("nearest.4");
  });
});

/** Another way to the same days: each day at noon is asked, in the calendar's own time zone. */
const askedByDay = (code: string, year: number): string[] => {
  const [country = "", state, ...region] = code.split("-");
  const library = new Holidays({
    country,
    ...(state && { state }),
    ...(region.length > 0 && { region: region.join("-") }),
  });
  const starts = [year - 1, year, year + 1]
    .flatMap((each) => library.getHolidays(each))
    .filter(({ type }) => type === "public");
  const noonOf = noonsIn(library.getTimezones()[0] ?? "UTC");
  const covers = (noon: number) => starts.some(({ start, end }) => start.getTime() < noon && noon < end.getTime());
  return Array.from({ length: 366 }, (_, day) =>
    new Date(Date.UTC(year, 0, 1 + day)).toISOString().slice(0, 10),
  ).filter((date) => date.startsWith(`${year}`) && covers(noonOf(date)));
};

const noonsIn = (timeZone: string) => {
  const local = new Intl.DateTimeFormat("sv-SE", { timeZone, dateStyle: "short", timeStyle: "medium" });
  return (date: string): number => {
    const utc = Date.parse(`${date}T12:00:00Z`);
    return 2 * utc - Date.parse(`${local.format(utc).replace(" ", "T")}Z`);
  };
};

test("has in any country and year the days of its public holidays, in order and once each", () => {
  const codes = calendarNames()
    .map(({ code }) => code)
    .filter((code) => code !== "NERC");
  fc.assert(
    fc.property(fc.constantFrom(...codes), fc.integer({ min: 2000, max: 2060 }), (code, year) => {
      expect(datesOf(code, year)).toEqual(askedByDay(code, year));
    }),
    { numRuns: propertyRuns(4, { atMost: 400 }) },
  );
});
