import { propertyRuns } from "@curtail/testing/property-runs";
import fc from "fast-check";
import { expect, test } from "vitest";
import { EnergySums } from "../src/energy.js";
import { ENERGY_INTERVALS_SECONDS, energyGrid, finestInterval } from "../src/energy-grid.js";
import { dayOfDate, localTime } from "../src/local-time.js";

/** The energy of a constant load over a period, from rows of whole hours on either side, in kWh. */
const energyOf = (
  kw: number,
  period: { readonly startMs: number; readonly endMs: number },
  zone: string,
  points: number,
) => {
  const interval = finestInterval(period, zone, points) ?? ENERGY_INTERVALS_SECONDS.at(-1) ?? 0;
  const sums = new EnergySums(energyGrid(period, interval, zone));
  const [first, last] = [Math.floor(period.startMs / 30_000) - 5000, Math.ceil(period.endMs / 30_000) + 5000];
  sums.add(first, new Float64Array(last - first).fill(kw));
  return sums;
};

const days = (zone: string, from: string, to: string) => ({
  startMs: localTime(zone).startOf(dayOfDate(from)) * 1000,
  endMs: localTime(zone).startOf(dayOfDate(to)) * 1000,
});

const quarter = (zone: string, points: number) =>
  energyOf(10, days(zone, "2026-01-01", "2026-04-01"), zone, points).totals().energyKwh;

test("a constant load of 10 kW used as much in the first quarter as it has hours, whatever the number of points", () => {
  for (const points of [100, 1500, 10_000]) {
    expect(quarter("Europe/Berlin", points)).toBeCloseTo(21_590, 6);
    expect(quarter("Asia/Kolkata", points)).toBeCloseTo(21_600, 6);
  }
});

test("a day of 23 hours has 23 hours of energy in 14 points", () => {
  const sums = energyOf(10, days("Europe/Berlin", "2026-03-29", "2026-03-30"), "Europe/Berlin", 14);
  expect(sums.totals().energyKwh).toBeCloseTo(230, 6);
  expect(sums.coverage(0)).toBe(1);
});

test("the energy of a period covers exactly the period, in every zone and at every change of the clock", () => {
  const zones = ["UTC", "Europe/Berlin", "America/New_York", "Asia/Kolkata", "Asia/Kathmandu", "Australia/Lord_Howe"];
  const from = Date.parse("2026-01-01T00:00:00Z") / 30_000;
  fc.assert(
    fc.property(
      fc.constantFrom(...zones),
      fc.integer({ min: from, max: from + 365 * 2880 }),
      fc.integer({ min: 1, max: 60 * 2880 }),
      fc.integer({ min: 14, max: 3000 }),
      (zone, startCell, cells, points) => {
        const period = { startMs: startCell * 30_000, endMs: (startCell + cells) * 30_000 };
        const sums = energyOf(10, period, zone, points);
        const { energyKwh, presentCells } = sums.totals();
        expect(presentCells).toBe(cells);
        expect(energyKwh).toBeCloseTo(cells / 12, 6);
        const coverages = Array.from(sums.present.keys(), (index) => sums.coverage(index));
        expect(coverages.filter((coverage) => coverage !== 1)).toEqual([]);
      },
    ),
    { numRuns: propertyRuns(12, { atMost: 500 }) },
  );
});
