import { describe, expect, test } from "vitest";
import { fromLocalInput, isTwice, localDay, nextDay, startOfDay } from "../src/format/local-time.js";
import { dayAndClock, period } from "../src/format/time.js";

const CHICAGO = "America/Chicago";
const BERLIN = "Europe/Berlin";
const now = new Date("2026-11-20T12:00:00Z");

describe("a moment", () => {
  test("has its year only in another year, on the clocks of its zone", () => {
    expect(dayAndClock("2026-11-20T20:05:00Z", CHICAGO, now)).toBe("Fri 20 Nov, 14:05");
    expect(dayAndClock("2026-01-01T05:00:00Z", CHICAGO, now)).toBe("Wed 31 Dec 2025, 23:00");
    expect(dayAndClock("2026-01-01T05:00:00Z", BERLIN, now)).toBe("Thu 1 Jan, 06:00");
  });
});

describe("a period", () => {
  test("of this year says a day once", () => {
    expect(period("2026-11-20T20:05:00Z", "2026-11-21T00:05:00Z", CHICAGO, now)).toBe("Fri 20 Nov, 14:05 – 18:05");
    expect(period("2026-11-20T20:05:00Z", null, CHICAGO, now)).toBe("Fri 20 Nov, 14:05, no end set yet");
  });

  test("over a year's end has both years, whichever of them is now", () => {
    const [start, end] = ["2025-12-30T20:00:00Z", "2026-01-02T06:30:00Z"];
    const words = "Tue 30 Dec 2025, 14:00 – Fri 2 Jan 2026, 00:30";
    expect(period(start, end, CHICAGO, now)).toBe(words);
    expect(period(start, end, CHICAGO, new Date("2025-12-31T00:00:00Z"))).toBe(words);
  });

  test("of an earlier year has that year, and the same day of another year is another day", () => {
    expect(period("2024-06-03T20:00:00Z", "2024-06-03T21:00:00Z", CHICAGO, now)).toBe("Mon 3 Jun 2024, 15:00 – 16:00");
    expect(period("2020-06-03T20:00:00Z", "2026-06-03T20:00:00Z", CHICAGO, now)).toBe(
      "Wed 3 Jun 2020, 15:00 – Wed 3 Jun 2026, 15:00",
    );
  });

  test("has offsets where the clocks change in it, so that it does not seem to go backward", () => {
    expect(period("2026-11-01T06:30:00Z", "2026-11-01T07:15:00Z", CHICAGO, now)).toBe(
      "Sun 1 Nov, 01:30 GMT-05:00 – 01:15 GMT-06:00",
    );
  });
});

describe("a time that is typed", () => {
  test("is the first of two where clocks go back, east and west of Greenwich", () => {
    expect(fromLocalInput("2026-11-01T01:30", CHICAGO)?.toISOString()).toBe("2026-11-01T06:30:00.000Z");
    expect(fromLocalInput("2026-10-25T02:30", BERLIN)?.toISOString()).toBe("2026-10-25T00:30:00.000Z");
    expect([isTwice("2026-10-25T02:30", BERLIN), isTwice("2026-10-25T03:30", BERLIN)]).toEqual([true, false]);
  });

  test("is none in the hour that is left out", () => {
    expect(fromLocalInput("2026-03-29T02:30", BERLIN)).toBeNull();
    expect(fromLocalInput("2026-03-29T03:00", BERLIN)?.toISOString()).toBe("2026-03-29T01:00:00.000Z");
    expect(fromLocalInput("", BERLIN)).toBeNull();
    expect(isTwice("2026-03-29T02:30", BERLIN)).toBe(false);
  });

  test("is read with offsets of half an hour, and of the far east and west", () => {
    expect(fromLocalInput("2026-04-05T01:45", "Australia/Lord_Howe")?.toISOString()).toBe("2026-04-04T14:45:00.000Z");
    expect(fromLocalInput("2026-06-01T12:00", "Pacific/Kiritimati")?.toISOString()).toBe("2026-05-31T22:00:00.000Z");
    expect(fromLocalInput("2026-06-01T12:00", "Pacific/Pago_Pago")?.toISOString()).toBe("2026-06-01T23:00:00.000Z");
  });
});

describe("a day", () => {
  test("is that of the zone, and begins at one where clocks skip midnight", () => {
    expect(localDay(new Date("2026-06-11T03:00:00Z"), CHICAGO)).toBe("2026-06-10");
    expect(startOfDay("2026-09-06", "America/Santiago")?.toISOString()).toBe("2026-09-06T04:00:00.000Z");
    expect(nextDay("2025-12-31")).toBe("2026-01-01");
  });

  test("that does not exist has no start, and none after it", () => {
    for (const day of ["", "x", "2026-02-31", "12026-01-01"]) {
      expect(startOfDay(day, CHICAGO)).toBeNull();
      expect(nextDay(day)).toBe(day);
    }
  });
});
