import { propertyRuns } from "@curtail/testing/property-runs";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  cellsOfGrid,
  countEnergyCells,
  ENERGY_INTERVALS_SECONDS,
  energyGrid,
  finestInterval,
} from "../src/energy-grid.js";
import { localTime } from "../src/local-time.js";

const DAY_SECONDS = 86_400;
const zones = fc.constantFrom("UTC", "America/New_York", "Europe/Berlin", "Asia/Kolkata", "Australia/Lord_Howe");
const moments = fc.integer({ min: Date.parse("2000-01-01T00:00:00Z"), max: Date.parse("2035-01-01T00:00:00Z") });
const periods = fc
  .tuple(moments, fc.integer({ min: 1, max: 400 * DAY_SECONDS * 1000 }))
  .map(([startMs, lengthMs]) => ({ startMs, endMs: startMs + lengthMs }));
const coarse = fc.constantFrom(...ENERGY_INTERVALS_SECONDS.filter((seconds) => seconds >= 1800));

const between = (start: string, end: string) => ({ startMs: Date.parse(start), endMs: Date.parse(end) });
const edgesOf = (start: string, end: string, seconds: number, zone = "UTC"): string[] =>
  [...energyGrid(between(start, end), seconds, zone).edges].map((edge) =>
    new Date(edge * 30_000).toISOString().slice(0, 19),
  );

describe("the cells of energy", () => {
  test("are those of the UTC grid that the period touches", () => {
    const hours = ["2026-06-01T10:00:00", "2026-06-01T11:00:00", "2026-06-01T12:00:00"];
    expect(edgesOf("2026-06-01T10:00:00Z", "2026-06-01T12:00:00Z", 3600)).toEqual(hours);
    expect(edgesOf("2026-06-01T10:59:59.999Z", "2026-06-01T11:00:00.001Z", 3600)).toEqual(hours);
    expect(edgesOf("2026-06-01T10:00:00Z", "2026-06-01T10:00:30Z", 30)).toHaveLength(2);
  });

  test("of a day are local days: of 23 hours in spring and of 25 in autumn", () => {
    expect(edgesOf("2026-03-07T12:00:00Z", "2026-03-09T12:00:00Z", DAY_SECONDS, "America/New_York")).toEqual([
      "2026-03-07T05:00:00",
      "2026-03-08T05:00:00",
      "2026-03-09T04:00:00",
      "2026-03-10T04:00:00",
    ]);
    const autumn = energyGrid(between("2026-11-01T04:00:00Z", "2026-11-02T05:00:00Z"), DAY_SECONDS, "America/New_York");
    expect([...autumn.edges].map((edge, at, all) => (edge - (all[at - 1] ?? edge)) / 120)).toEqual([0, 25]);
  });

  test("cover the period without a hole, whatever it is", () => {
    fc.assert(
      fc.property(periods, coarse, zones, (period, seconds, zone) => {
        const grid = energyGrid(period, seconds, zone);
        const count = cellsOfGrid(grid);
        expect(countEnergyCells(period, seconds, zone)).toBe(count);
        const ms = Array.from(grid.edges, (edge) => edge * 30_000);
        expect(ms[0]).toBeLessThanOrEqual(period.startMs);
        expect(ms[1]).toBeGreaterThan(period.startMs);
        expect(ms[count]).toBeGreaterThanOrEqual(period.endMs);
        expect(ms[count - 1]).toBeLessThan(period.endMs);
        const lengths = new Set(ms.slice(1).map((end, at) => (end - (ms[at] ?? 0)) / 1000));
        if (seconds < DAY_SECONDS) expect([...lengths]).toEqual([seconds]);
        for (const length of lengths) expect(Math.abs(length - seconds)).toBeLessThanOrEqual(3600);
      }),
    );
  });

  test("of a day begin where the local day begins", () => {
    fc.assert(
      fc.property(periods, zones, (period, zone) => {
        const time = localTime(zone);
        const starts = Array.from(energyGrid(period, DAY_SECONDS, zone).edges, (edge) => edge * 30);
        expect(starts.map((start) => time.startOf(time.dayOf(start)))).toEqual(starts);
      }),
      { numRuns: propertyRuns(30) },
    );
  });
});

describe("the interval", () => {
  test("is the finest that gives no more cells than are wanted", () => {
    const day = between("2026-06-01T00:00:00Z", "2026-06-02T00:00:00Z");
    expect(finestInterval(day, "UTC", 2880)).toBe(30);
    expect(finestInterval(day, "UTC", 2879)).toBe(60);
    expect(finestInterval(day, "UTC", 4)).toBe(21_600);
    expect(finestInterval(day, "UTC", 1)).toBe(86_400);
    expect(finestInterval(between("2026-06-01T00:00:00Z", "2027-06-01T00:00:00Z"), "UTC", 1500)).toBe(21_600);
  });

  test("is null if even days are too many", () => {
    expect(finestInterval(between("2026-06-01T00:00:00Z", "2026-06-03T00:00:00Z"), "UTC", 2)).toBe(86_400);
    expect(finestInterval(between("2026-06-01T00:00:00Z", "2026-06-03T00:00:01Z"), "UTC", 2)).toBeNull();
  });

  test("is on a ladder where each step divides the day", () => {
    for (const seconds of ENERGY_INTERVALS_SECONDS) expect(DAY_SECONDS % seconds).toBe(0);
  });
});
