import { describe, expect, test } from "vitest";
import { dateOf, dayOfDate, localTime } from "../src/local-time.js";

const seconds = (iso: string) => Date.parse(iso) / 1000;
const startOf = (timezone: string, date: string) =>
  new Date(localTime(timezone).startOf(dayOfDate(date)) * 1000).toISOString();

const hoursOf = (timezone: string, date: string) => {
  const time = localTime(timezone);
  return (time.startOf(dayOfDate(date) + 1) - time.startOf(dayOfDate(date))) / 3600;
};

describe("local days", () => {
  test("have 24 hours, 23 in spring and 25 in autumn", () => {
    expect(hoursOf("America/New_York", "2026-03-07")).toBe(24);
    expect(hoursOf("America/New_York", "2026-03-08")).toBe(23);
    expect(hoursOf("America/New_York", "2026-11-01")).toBe(25);
    expect(hoursOf("Australia/Lord_Howe", "2026-04-05")).toBe(24.5);
    expect(hoursOf("UTC", "2026-03-08")).toBe(24);
  });

  test("start at local midnight", () => {
    expect(startOf("America/New_York", "2026-03-08")).toBe("2026-03-08T05:00:00.000Z");
    expect(startOf("America/New_York", "2026-03-09")).toBe("2026-03-09T04:00:00.000Z");
    expect(startOf("Asia/Kathmandu", "2026-06-01")).toBe("2026-05-31T18:15:00.000Z");
    expect(startOf("Pacific/Kiritimati", "2026-06-01")).toBe("2026-05-31T10:00:00.000Z");
  });

  test("start at one o'clock where midnight is skipped, and at the first midnight where it comes twice", () => {
    expect(startOf("Africa/Cairo", "2026-04-24")).toBe("2026-04-23T22:00:00.000Z");
    expect(localTime("Africa/Cairo").secondOfDay(seconds("2026-04-23T22:00:00Z"))).toBe(3600);
    expect(startOf("America/Havana", "2026-11-01")).toBe("2026-11-01T04:00:00.000Z");
    expect(hoursOf("America/Havana", "2026-11-01")).toBe(25);
  });
});

test("a local clock skips an hour in spring and repeats one in autumn", () => {
  const time = localTime("America/New_York");
  expect(time.secondOfDay(seconds("2026-03-08T06:59:59Z"))).toBe(2 * 3600 - 1);
  expect(time.secondOfDay(seconds("2026-03-08T07:00:00Z"))).toBe(3 * 3600);
  expect(time.secondOfDay(seconds("2026-11-01T05:30:00Z"))).toBe(1.5 * 3600);
  expect(time.secondOfDay(seconds("2026-11-01T06:30:00Z"))).toBe(1.5 * 3600);
});

test("every hour of two years agrees with what Intl shows for it", () => {
  for (const timezone of ["America/New_York", "Europe/Berlin", "Australia/Lord_Howe", "Africa/Casablanca"]) {
    const shown = new Intl.DateTimeFormat("en-CA", { timeZone: timezone, dateStyle: "short" });
    const clock = new Intl.DateTimeFormat("en-GB", { timeZone: timezone, timeStyle: "medium" });
    const time = localTime(timezone);
    for (let at = seconds("2025-01-01T00:00:00Z"); at < seconds("2027-01-01T00:00:00Z"); at += 3600) {
      const ofDay = new Date(time.secondOfDay(at) * 1000).toISOString().slice(11, 19);
      if (ofDay !== clock.format(at * 1000)) expect(ofDay, `${timezone} ${at}`).toBe(clock.format(at * 1000));
      if (dateOf(time.dayOf(at)) !== shown.format(at * 1000)) {
        expect(dateOf(time.dayOf(at)), `${timezone} ${at}`).toBe(shown.format(at * 1000));
      }
    }
  }
});

test("an unknown zone and a date that does not exist are refused with advice", () => {
  expect(() => localTime("Mars/Olympus")).toThrow('"Mars/Olympus" is not a time zone; give an IANA name');
  for (const date of ["2026-02-30", "2026-6-1", "today", ""]) {
    expect(() => dayOfDate(date)).toThrow("is not a date; give it as YYYY-MM-DD");
  }
});
