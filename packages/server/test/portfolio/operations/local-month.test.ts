import { expect, test } from "vitest";
import { isRefusal } from "../../../src/platform/refusal.js";
import {
  endOfMonthMs,
  monthOf,
  periodOf,
  refuseMonth,
  startOfMonthMs,
} from "../../../src/portfolio/operations/local-month.js";

const HOUR_MS = 3_600_000;
const hoursOf = (month: string, timezone: string) =>
  (endOfMonthMs(month, timezone) - startOfMonthMs(month, timezone)) / HOUR_MS;

test("a month begins and ends at local midnight, across the change of the clocks", () => {
  expect(hoursOf("2026-03", "Europe/Berlin")).toBe(31 * 24 - 1);
  expect(hoursOf("2026-10", "Europe/Berlin")).toBe(31 * 24 + 1);
  expect(hoursOf("2026-02", "Europe/Berlin")).toBe(28 * 24);
  expect(new Date(startOfMonthMs("2026-07", "Asia/Kolkata")).toISOString()).toBe("2026-06-30T18:30:00.000Z");
});

test("a dispatch belongs to the month in which it starts in its time zone", () => {
  const end = endOfMonthMs("2026-10", "America/St_Johns");
  expect(monthOf(end - 1, "America/St_Johns")).toBe("2026-10");
  expect(monthOf(end, "America/St_Johns")).toBe("2026-11");
  expect(new Date(end).toISOString()).toBe("2026-11-01T02:30:00.000Z");
  expect(endOfMonthMs("2026-12", "UTC")).toBe(Date.parse("2027-01-01T00:00:00Z"));
});

test("the period that is read contains the month of every time zone", () => {
  const { fromMs, toMs } = periodOf("2026-11");
  for (const timezone of ["Pacific/Kiritimati", "Etc/GMT+12", "Pacific/Chatham", "UTC"]) {
    expect(fromMs).toBeLessThanOrEqual(startOfMonthMs("2026-11", timezone));
    expect(toMs).toBeGreaterThanOrEqual(endOfMonthMs("2026-11", timezone));
  }
});

test("what is no month is refused", () => {
  for (const month of ["2026-13", "2026-00", "2026-1", "1999-12", "2200-01", "july", "2026-07-01"]) {
    expect(isRefusal(refuseMonth(month, "month")), month).toBe(true);
  }
  expect(refuseMonth("2026-12", "month")).toBeNull();
});
