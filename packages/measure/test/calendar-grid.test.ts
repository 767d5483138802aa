import { expect, test } from "vitest";
import { calendarGrid } from "../src/calendar-grid.js";

const startsOf = (from: string, to: string, step: "hour" | "day" | "month", zone: string): string[] =>
  [...calendarGrid({ from, to }, step, zone).edges].map((edge) => new Date(edge * 30_000).toISOString().slice(0, 16));

test("hours are those of the local clock: 23 and 25 of them where the clocks change", () => {
  const hours = (day: string, zone: string) => startsOf(day, day, "hour", zone).length - 1;
  expect([hours("2026-03-29", "Europe/Berlin"), hours("2026-10-25", "Europe/Berlin")]).toEqual([23, 25]);
  expect(startsOf("2026-06-01", "2026-06-01", "hour", "Asia/Kolkata").slice(0, 2)).toEqual([
    "2026-05-31T18:30",
    "2026-05-31T19:30",
  ]);
  // Clocks go back by half an hour: the last interval is shorter.
  expect(startsOf("2026-04-05", "2026-04-05", "hour", "Australia/Lord_Howe").slice(-2)).toEqual([
    "2026-04-05T13:00",
    "2026-04-05T13:30",
  ]);
});

test("days and months begin at local midnight, and the first and last month are cut at the days of the period", () => {
  expect(startsOf("2026-03-28", "2026-03-30", "day", "Europe/Berlin")).toEqual([
    "2026-03-27T23:00",
    "2026-03-28T23:00",
    "2026-03-29T22:00",
    "2026-03-30T22:00",
  ]);
  expect(startsOf("2026-01-15", "2026-03-02", "month", "UTC")).toEqual([
    "2026-01-15T00:00",
    "2026-02-01T00:00",
    "2026-03-01T00:00",
    "2026-03-03T00:00",
  ]);
});
