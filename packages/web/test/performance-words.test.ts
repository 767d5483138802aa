import type { DaysExplanation } from "@curtail/contract";
import { expect, test } from "vitest";
import { baselineWords } from "../src/parts/performance-words.js";

const consideredDay = (date: string) => ({ date, event_mean_kw: 1, energy_kwh: 1, missing_intervals: 0, kw: [] });

const dayOf = (event_date: string, event_day_type: "weekday" | "sunday", dates: readonly string[]) => ({
  event_date,
  event_day_type,
  intervals: [],
  pool: dates.map(consideredDay),
  dropped: [],
  filled_with: [],
  chosen: [...dates],
  chosen_by_interval: null,
  distances: null,
});

const explained = (other_days: DaysExplanation["other_days"]): DaysExplanation => ({
  kind: "days",
  timezone: "UTC",
  interval_seconds: 3600,
  ...dayOf("2026-06-08", "weekday", ["2026-06-05", "2026-06-04"]),
  adjustment: null,
  later_days: [],
  other_days,
});

const MONDAY =
  "2 days before this weekday are comparable. 2 of them were chosen, and the baseline is their average load at each time of day.";

test("a baseline of one day is told without its date", () => {
  expect(baselineWords(explained([]), "UTC")).toEqual([MONDAY, "The baseline is not adjusted to the day."]);
});

test("days before and after the dispatch are told with their dates, and why they have no baseline", () => {
  const other_days = [
    { ...dayOf("2026-06-07", "sunday", ["2026-05-31"]), reason: null },
    { ...dayOf("2026-06-09", "weekday", []), reason: "the method needs 2 days" },
  ];
  expect(baselineWords(explained(other_days), "UTC")).toEqual([
    `On Mon, 8 Jun 2026: ${MONDAY}`,
    "On Sun, 7 Jun 2026, before the dispatch: 1 day before this sunday is comparable. 1 of them was chosen, and the baseline is their average load at each time of day.",
    "On Tue, 9 Jun 2026, after the dispatch: no baseline: the method needs 2 days.",
    "The baseline is not adjusted to the day.",
  ]);
});
