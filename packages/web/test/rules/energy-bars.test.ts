import { expect, test } from "vitest";
import { barScale, labelEvery } from "../../src/chart/bar-scale.js";
import {
  barName,
  barPeriod,
  comparedPeriod,
  comparedSums,
  comparedWords,
  isPartial,
  spanName,
  steppedBy,
  within,
} from "../../src/rules/energy-bars.js";

test("a period is the day, month or year with a day; what is no day means today", () => {
  expect(barPeriod("day", "2026-10-25", "2026-11-23")).toEqual({ from: "2026-10-25", to: "2026-10-25", by: "hour" });
  expect(barPeriod("month", "2026-02-17", "2026-11-23")).toEqual({ from: "2026-02-01", to: "2026-02-28", by: "day" });
  expect(barPeriod("year", "soon", "2026-11-23")).toEqual({ from: "2026-01-01", to: "2026-12-31", by: "month" });
  expect([
    steppedBy("day", "2026-03-01", -1),
    steppedBy("month", "2026-01-01", -1),
    steppedBy("year", "2026-01-01", 1),
  ]).toEqual(["2026-02-28", "2025-12-01", "2027-01-01"]);
  expect([spanName("day", "2026-11-23"), spanName("month", "2026-11-01"), spanName("year", "2026-01-01")]).toEqual([
    "Mon, 23 Nov 2026",
    "November 2026",
    "2026",
  ]);
});

test("a period is compared with the one before, or a year before: a day with the same weekday", () => {
  const month = barPeriod("month", "2026-11-01", "2026-11-23");
  expect(comparedPeriod("month", month, "before")?.from).toBe("2026-10-01");
  expect(comparedPeriod("month", month, "year")?.from).toBe("2025-11-01");
  expect(comparedPeriod("month", month, "none")).toBeNull();
  const day = barPeriod("day", "2026-11-23", "2026-11-23");
  expect(spanName("day", comparedPeriod("day", day, "year")?.from ?? "")).toBe("Mon, 24 Nov 2025");
});

const bar = (energy_kwh: number | null) => ({
  start_time: "2026-11-01T00:00:00Z",
  end_time: "2026-11-02T00:00:00Z",
  energy_kwh,
  coverage: 1,
  sites: 1,
});

test("only intervals with readings in both periods are compared, so that a running month is not with a whole one", () => {
  const sums = comparedSums([bar(80), bar(null), bar(30)], [bar(100), bar(50), bar(null), bar(900)]);
  expect(sums).toEqual({ kwh: 80, otherKwh: 100, intervals: 1 });
  expect(sums === null ? "" : comparedWords(sums, "October 2026")).toBe("20% less than October 2026 (100 kWh)");
  expect(comparedSums([bar(1)], [])).toBeNull();
  expect(comparedWords({ kwh: -5, otherKwh: 10, intervals: 1 }, "2025")).toBe(
    "−5.0 kWh, compared with 2025 (10.0 kWh)",
  );
});

test("intervals are named on the clocks of their zone", () => {
  expect(barName("2026-10-25T01:00:00Z", "hour", "Europe/Berlin")).toBe("02:00");
  expect(barName("2026-10-24T22:00:00Z", "day", "Europe/Berlin", true)).toBe("Sun 25 Oct");
  expect(barName("2026-01-01T06:00:00Z", "month", "America/Chicago")).toBe("Jan");
});

test("a bar lacks readings if less was received than expected, and one to come does not", () => {
  expect([isPartial(null), isPartial(1), isPartial(0.98), isPartial(0)]).toEqual([false, false, true, true]);
});

const marksOf = (start_time: string, end_time: string | null) => within([{ start_time, end_time }], bar(1)).length;

test("a dispatch is marked at each interval that it overlaps, and touching ends do not", () => {
  expect(marksOf("2026-10-31T23:00:00Z", "2026-11-01T00:00:00Z")).toBe(0);
  expect(marksOf("2026-11-01T23:00:00Z", "2026-11-02T01:00:00Z")).toBe(1);
  expect(marksOf("2026-11-02T00:00:00Z", null)).toBe(0);
  expect(marksOf("2026-10-01T00:00:00Z", null)).toBe(1);
});

test("the scale has round steps with zero, also for exports and for nothing", () => {
  expect(barScale([780, null, 212])).toEqual({ min: 0, max: 800, ticks: [0, 200, 400, 600, 800] });
  expect(barScale([-30, 40])).toEqual({ min: -40, max: 40, ticks: [-40, -20, 0, 20, 40] });
  expect(barScale([-3]).max).toBe(0);
  expect(barScale([null, 0])).toMatchObject({ min: 0, max: 1 });
  expect([labelEvery(31, 340, 36), labelEvery(24, 340, 36), labelEvery(12, 1200, 36)]).toEqual([4, 3, 1]);
});
