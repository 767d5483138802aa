import { describe, expect, test } from "vitest";
import { type ScheduleRequest, scheduleOf } from "../../../src/openadr-3/operations/own-schedule.js";
import { isRefusal } from "../../../src/platform/refusal.js";

const at = (text: string): Date => new Date(`2026-07-01T${text}Z`);
const NOW = at("09:30:00.400");
const HOUR = 3600;

const clock = (time: Date | null): string => (time === null ? "" : time.toISOString().slice(11, 16));

/** As text: `10:00-11:00=1`, in UTC; or the refusal. */
const scheduled = (request: ScheduleRequest, start = NOW): string | readonly string[] => {
  const intervals = scheduleOf(request, start);
  if (isRefusal(intervals)) return intervals.message;
  return intervals.map(({ start, end, value }) => `${clock(start)}-${clock(end)}=${value}`);
};

const numbers = (count: number): number[] => Array.from({ length: count }, (_, index) => index);

describe("values of one length", () => {
  test("follow each other from the start, or from the whole second of now", () => {
    const values = [1, 2];
    expect(scheduled({ start: at("10:00:00"), intervalSeconds: 900, values })).toEqual([
      "10:00-10:15=1",
      "10:15-10:30=2",
    ]);
    expect(scheduleOf({ intervalSeconds: 60, values: [1] }, NOW)).toEqual([
      { start: at("09:30:00"), end: at("09:31:00"), value: 1 },
    ]);
  });

  test("fill the time of an event whose end is given", () => {
    const span = { start: at("10:00:00"), end: at("12:00:00") };
    expect(scheduled({ ...span, values: [5] })).toEqual(["10:00-12:00=5"]);
    expect(scheduled({ ...span, intervalSeconds: HOUR, values: [5, 6] })).toEqual(["10:00-11:00=5", "11:00-12:00=6"]);
    expect(scheduled({ ...span, intervalSeconds: HOUR, values: [5, 6, 7] })).toBe(
      "values has 3, but the time of the event has 2 intervals of 3600 s; give one value for each",
    );
    expect(scheduled({ ...span, intervalSeconds: 5000, values: [5, 6] })).toMatch(
      /^interval_seconds is 5000, which does not/,
    );
    expect(scheduled({ ...span, values: [5, 6] })).toBe(
      "interval_seconds is missing; give the length of each of the 2 values",
    );
    expect(scheduled({ start: span.end, end: span.start, values: [5] })).toMatch(
      /^end_time is .*, not after the start/,
    );
    expect(scheduled({ start: span.end, end: span.end, intervalSeconds: 60, values: [5] })).toMatch(/^end_time is/);
  });

  test("never end if there is one", () => {
    expect(scheduled({ start: at("10:00:00"), end: null, values: [5] })).toEqual(["10:00-=5"]);
    expect(scheduled({ end: null, values: [5, 6] })).toMatch(/^values has 2 values for an event that never ends/);
    expect(scheduled({ end: null, intervalSeconds: 60, values: [5] })).toMatch(/^interval_seconds is given/);
    expect(scheduled({ values: [5] })).toMatch(/^interval_seconds is missing; give it, or end_time/);
  });

  test("may be the text of an alert", () => {
    expect(scheduled({ end: at("10:00:00"), message: "Fire" })).toEqual(["09:30-10:00=Fire"]);
    expect(scheduled({ end: at("10:30:00"), intervalSeconds: 1800, message: "Fire" })).toMatch(
      /^message is one value, but/,
    );
  });

  test("end before the year 10000, and start after the year 1969", () => {
    expect(scheduled({ intervalSeconds: 366 * 86_400, values: numbers(8000) })).toMatch(
      /^the event ends after the year/,
    );
    expect(scheduled({ start: new Date("0001-01-01T00:00:00Z"), end: null, values: [1] })).toMatch(
      /before the year 1970/,
    );
  });
});

const day = (date: string, count: number, intervalSeconds = HOUR) =>
  scheduled({ day: date, timezone: "Europe/Berlin", intervalSeconds, values: numbers(count) });

describe("a day", () => {
  test("has 24 hours, or 96 quarters of an hour", () => {
    expect(day("2026-07-01", 24)).toHaveLength(24);
    expect(day("2026-07-01", 24)).toContain("22:00-23:00=0");
    expect(day("2026-07-01", 96, 900)).toHaveLength(96);
  });

  test("has 23 hours when the clock is put forward, and 25 when it is put back", () => {
    expect(day("2026-03-29", 23)).toHaveLength(23);
    expect(day("2026-03-29", 24)).toBe(
      "values has 24, but 2026-03-29 in Europe/Berlin has 23 intervals of 3600 s; give one value for each",
    );
    expect(day("2026-10-25", 25)).toHaveLength(25);
    expect(day("2026-10-25", 24)).toMatch(/has 25 intervals/);
  });

  test("begins where the clock skips midnight", () => {
    const first = scheduleOf({ day: "2026-03-27", timezone: "Asia/Beirut", values: [1] }, NOW);
    expect(first).toMatchObject([{ start: new Date("2026-03-26T22:00:00Z") }]);
    expect(
      scheduled({ day: "2026-03-29", timezone: "Asia/Beirut", intervalSeconds: HOUR, values: numbers(23) }),
    ).toHaveLength(23);
  });

  test("has no other times, a zone that exists, and is one of the calendar", () => {
    const values = [1];
    expect(scheduled({ day: "2026-07-01", timezone: "UTC", start: NOW, values })).toMatch(/^day is the whole time/);
    expect(scheduled({ day: "2026-07-01", values })).toMatch(/^timezone is missing/);
    expect(scheduled({ day: "2026-07-01", timezone: "Moon/Base", values })).toMatch(/^timezone is "Moon\/Base"/);
    expect(scheduled({ day: "2026-02-30", timezone: "UTC", values })).toMatch(/^day is "2026-02-30", which is no day/);
    expect(scheduled({ timezone: "UTC", end: null, values })).toMatch(/^timezone is that of day/);
  });
});

describe("intervals of different lengths", () => {
  const first = { start: at("10:00:00"), value: 1 };
  const second = { start: at("10:30:00"), value: 2 };

  test("last until the next, the last one until the end of the event", () => {
    expect(scheduled({ intervals: [first, second], end: at("12:00:00") })).toEqual(["10:00-10:30=1", "10:30-12:00=2"]);
    expect(scheduled({ intervals: [first, second], end: null })).toEqual(["10:00-10:30=1", "10:30-=2"]);
    expect(
      scheduled({
        intervals: [
          { ...first, end: at("10:30:00") },
          { ...second, end: at("11:00:00") },
        ],
      }),
    ).toEqual(["10:00-10:30=1", "10:30-11:00=2"]);
  });

  test("are refused with a gap, an overlap, or without an end", () => {
    const refused = (end: Date | null) => scheduled({ intervals: [{ ...first, end }, second], end: null });
    expect(refused(at("10:15:00"))).toMatch(
      /^intervals\[1\]\.start_time is .*T10:30:00Z, which leaves a gap after intervals\[0\]/,
    );
    expect(refused(at("10:45:00"))).toMatch(/which overlaps intervals\[0\], whose end is 2026-07-01T10:45:00Z/);
    expect(refused(null)).toMatch(/which overlaps intervals\[0\], whose end is never/);
    expect(scheduled({ intervals: [second, first], end: null })).toMatch(/^intervals\[0\]\.end_time is .*, not after/);
    expect(scheduled({ intervals: [first] })).toMatch(/^intervals\[0\]\.end_time is missing/);
    const other = [{ ...first, end: at("11:00:00") }];
    expect(scheduled({ intervals: other, end: at("12:00:00") })).toMatch(
      /^end_time is not where the last interval ends/,
    );
  });

  test("have times of their own only", () => {
    expect(scheduled({ intervals: [first], intervalSeconds: 60 })).toMatch(/^intervals have times of their own/);
    expect(scheduled({ intervals: [first], start: NOW })).toMatch(/^intervals have times of their own/);
  });
});

test("values, intervals and a message exclude each other", () => {
  expect(scheduled({ end: null })).toBe("give one of values, intervals and message");
  expect(scheduled({ end: null, values: [1], message: "Fire" })).toBe("give one of values, intervals and message");
});
