import { describe, expect, test } from "vitest";
import { quietUntil } from "../../../src/notification/domain/notice-preferences.js";

const until = (from: string, end: string, timezone: string, now: string): string | null =>
  quietUntil({ quietHours: { from, until: end }, timezone }, new Date(now))?.toISOString() ?? null;

const night = (now: string) => until("22:00", "06:00", "America/Chicago", now);

describe("quiet hours", () => {
  test("begin with their first minute and end with their last, also over midnight", () => {
    expect(night("2026-07-01T02:59:59Z")).toBe(null);
    expect(night("2026-07-01T03:00:00Z")).toBe("2026-07-01T11:00:00.000Z");
    expect(night("2026-07-01T10:59:30Z")).toBe("2026-07-01T11:00:00.000Z");
    expect(night("2026-07-01T11:00:00Z")).toBe(null);
  });

  test("of one day hold back nothing at night", () => {
    expect(until("12:00", "13:00", "UTC", "2026-07-01T12:30:00Z")).toBe("2026-07-01T13:00:00.000Z");
    expect(until("12:00", "13:00", "UTC", "2026-07-01T23:30:00Z")).toBe(null);
  });

  test("end by the local clock on the days it changes", () => {
    // 25 October 2026 has 25 hours in Berlin, 29 March 23.
    expect(until("22:00", "06:00", "Europe/Berlin", "2026-10-24T21:00:00Z")).toBe("2026-10-25T05:00:00.000Z");
    expect(until("22:00", "06:00", "Europe/Berlin", "2026-03-28T22:00:00Z")).toBe("2026-03-29T04:00:00.000Z");
    // 02:30 does not exist that night: they end at 03:30, half an hour after the clock was put forward.
    expect(until("22:00", "02:30", "Europe/Berlin", "2026-03-28T22:00:00Z")).toBe("2026-03-29T01:30:00.000Z");
  });

  test("hold back nothing where there are none", () => {
    expect(quietUntil({ quietHours: null, timezone: "UTC" }, new Date())).toBe(null);
  });
});
