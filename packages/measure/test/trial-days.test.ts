import { expect, test } from "vitest";
import { type TrialTerms, trialDays } from "../src/trial-days.js";

/** Monday, July 13, at 10:00 in New York. */
const terms: TrialTerms = {
  timezone: "America/New_York",
  dayType: "weekday",
  holidays: [],
  eventDays: [],
  startMinute: 14 * 60,
  minutes: 240,
  days: 3,
  nowMs: Date.parse("2026-07-13T14:00:00Z"),
};

const datesOf = (changed: Partial<TrialTerms>) => trialDays({ ...terms, ...changed }).map(({ date }) => date);

test("the latest days of the type before today, latest first, at the same local time", () => {
  expect(trialDays(terms)).toEqual([
    { date: "2026-07-10", startMs: Date.parse("2026-07-10T18:00:00Z"), endMs: Date.parse("2026-07-10T22:00:00Z") },
    { date: "2026-07-09", startMs: Date.parse("2026-07-09T18:00:00Z"), endMs: Date.parse("2026-07-09T22:00:00Z") },
    { date: "2026-07-08", startMs: Date.parse("2026-07-08T18:00:00Z"), endMs: Date.parse("2026-07-08T22:00:00Z") },
  ]);
  expect(datesOf({ dayType: "saturday", days: 2 })).toEqual(["2026-07-11", "2026-07-04"]);
  expect(datesOf({ dayType: "sunday", days: 1 })).toEqual(["2026-07-12"]);
  // In winter, 14:00 is an hour later in UTC.
  const [winter] = trialDays({ ...terms, nowMs: Date.parse("2026-01-14T14:00:00Z") });
  expect(winter?.startMs).toBe(Date.parse("2026-01-13T19:00:00Z"));
});

test("no holidays, and no days with a dispatch", () => {
  const changed = { holidays: ["2026-07-09"], eventDays: ["2026-07-08", "2026-07-13"] };
  expect(datesOf(changed)).toEqual(["2026-07-10", "2026-07-07", "2026-07-06"]);
});

test("a dispatch over midnight needs its second day, too", () => {
  const night = { startMinute: 22 * 60, dayType: "sunday", days: 1 } as const;
  // Its second day would be today.
  expect(datesOf(night)).toEqual(["2026-07-05"]);
  expect(datesOf({ ...night, eventDays: ["2026-07-06"] })).toEqual(["2026-06-28"]);
  expect(datesOf({ ...night, holidays: ["2026-07-06"] })).toEqual(["2026-06-28"]);
  expect(datesOf({ ...night, minutes: 120 })).toEqual(["2026-07-12"]);
});

test("a day whose clock skips the start is left out, and one that repeats it begins with the first", () => {
  const early = { dayType: "sunday", startMinute: 150, minutes: 60, days: 1 } as const;
  expect(datesOf({ ...early, nowMs: Date.parse("2026-03-09T14:00:00Z") })).toEqual(["2026-03-01"]);
  const [repeated] = trialDays({ ...terms, ...early, startMinute: 90, nowMs: Date.parse("2026-11-02T14:00:00Z") });
  expect(repeated?.startMs).toBe(Date.parse("2026-11-01T05:30:00Z"));
});

test("no more than a year is looked through", () => {
  const days = trialDays({ ...terms, days: 1000 });
  expect(days).toHaveLength(260);
  expect(days.at(-1)?.date).toBe("2025-07-14");
});
