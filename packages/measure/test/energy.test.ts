import { propertyRuns } from "@curtail/testing/property-runs";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { EnergySums } from "../src/energy.js";
import { cellsOfGrid, ENERGY_INTERVALS_SECONDS, type EnergyGrid, energyGrid, partOfGrid } from "../src/energy-grid.js";
import { CELLS_PER_HOUR, firstCellOfHour } from "../src/grid.js";
import type { HourRow } from "../src/hour-row.js";
import { SiteHours } from "../src/site-hours.js";
import { siteLoad } from "../src/site-load.js";

const GAP = Number.NaN;
// An ordinary hour of a New York evening; two days are 5,760 cells.
const FIRST_HOUR = 494_000;
const HOURS = 48;
const FIRST_CELL = firstCellOfHour(FIRST_HOUR);
const zones = fc.constantFrom("UTC", "America/New_York", "Asia/Kolkata", "Australia/Lord_Howe");
const kw = fc.oneof({ weight: 3, arbitrary: fc.integer({ min: -500, max: 2000 }) }, fc.constant(GAP));
const series = fc.array(kw, { minLength: 1, maxLength: 600 }).map((values) => Float64Array.from(values));

const gridOf = (intervalSeconds: number, timezone = "UTC"): EnergyGrid =>
  energyGrid({ startMs: FIRST_HOUR * 3_600_000, endMs: (FIRST_HOUR + HOURS) * 3_600_000 }, intervalSeconds, timezone);

const summed = (grid: EnergyGrid, ...pieces: ReadonlyArray<readonly [firstCell: number, cells: Float64Array]>) => {
  const sums = new EnergySums(grid);
  for (const [firstCell, cells] of pieces) sums.add(firstCell, cells);
  return sums;
};

const close = (a: number, b: number): boolean => Object.is(a, b) || Math.abs(a - b) < 1e-6;
const expectSameTotals = (a: EnergySums, b: EnergySums): void => {
  for (const [name, value] of Object.entries(a.totals())) {
    expect(close(value, b.totals()[name as "energyKwh"]), `${name}: ${value}`).toBe(true);
  }
};

const row = (meter: number, hour: number, ...values: number[]): HourRow => ({
  site: 1,
  meter,
  hour: FIRST_HOUR + hour,
  cells: Float64Array.from({ length: CELLS_PER_HOUR }, (_, place) => values[place % values.length] ?? GAP),
});
const hoursOf = (before: ReadonlyMap<number, number>, rows: readonly HourRow[], to = 200): number[] =>
  [...new SiteHours(before).take(rows, FIRST_HOUR, FIRST_HOUR + to)].map(
    ({ firstCell }) => (firstCell - FIRST_CELL) / CELLS_PER_HOUR,
  );

const RUNS = propertyRuns(30);

describe("energy", () => {
  test("is power times time: import and export apart, the net of both, and nothing for a gap", () => {
    const sums = summed(gridOf(3600), [FIRST_CELL, Float64Array.of(120, 120, -240, 0, GAP)]);
    expect(sums.totals()).toEqual({ importedKwh: 2, exportedKwh: 2, energyKwh: 0, presentCells: 4, peakKw: 120 });
    expect([sums.meanKw(0), sums.energyKwh(0), sums.leastKw[0], sums.mostKw[0]]).toEqual([0, 0, -240, 120]);
    expect([sums.present[0], sums.coverage(0)]).toEqual([4, 4 / 120]);
  });

  test("of a cell without readings is no zero: its power is a gap", () => {
    const sums = summed(gridOf(60), [FIRST_CELL, Float64Array.of(GAP, GAP, 5, GAP)]);
    expect([sums.meanKw(0), sums.leastKw[0], sums.mostKw[0], sums.present[0]]).toEqual([GAP, GAP, GAP, 0]);
    expect([sums.meanKw(1), sums.coverage(1)]).toEqual([5, 0.5]);
  });

  test("of nothing has no peak", () => {
    expect(summed(gridOf(3600)).totals()).toMatchObject({ energyKwh: 0, presentCells: 0, peakKw: GAP });
  });

  test("is the same however the cells are split, and in whatever order they come", () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...ENERGY_INTERVALS_SECONDS),
        zones,
        series,
        fc.integer({ min: 0, max: 5160 }),
        fc.array(fc.nat(600), { maxLength: 5 }),
        (interval, zone, cells, offset, cuts) => {
          const grid = gridOf(interval, zone);
          const first = FIRST_CELL + offset;
          const whole = summed(grid, [first, cells]);
          const edges = [0, ...cuts.filter((cut) => cut < cells.length).toSorted((a, b) => a - b), cells.length];
          const pieces = edges.slice(1).map((to, at) => {
            const from = edges[at] ?? 0;
            return [first + from, cells.subarray(from, to)] as const;
          });
          const split = summed(grid, ...pieces.toReversed());
          expectSameTotals(split, whole);
          expect(whole.present.findIndex((_, at) => !close(split.meanKw(at), whole.meanKw(at)))).toBe(-1);
        },
      ),
      { numRuns: RUNS },
    );
  });

  test("of coarser cells is the sum of the finer ones in them, and of the readings themselves", () => {
    fc.assert(
      fc.property(fc.constantFrom(...ENERGY_INTERVALS_SECONDS), series, fc.nat(5160), (interval, cells, offset) => {
        const pieces = [FIRST_CELL + offset, cells] as const;
        const [fine, coarse] = [summed(gridOf(30), pieces), summed(gridOf(interval), pieces)];
        const start = fine.grid.edges[0] ?? 0;
        const parts = Array.from(coarse.present, () => ({ energyKwh: 0, present: 0 }));
        for (let index = 0, at = 0; index < fine.present.length; index++) {
          while (start + index + 1 > (coarse.grid.edges[at + 1] ?? 0)) at += 1;
          const part = parts[at];
          if (part === undefined) throw new Error(`cell ${index} is in no coarser one`);
          part.energyKwh += fine.energyKwh(index);
          part.present += fine.present[index] ?? 0;
        }
        expect(parts.map(({ present }) => present)).toEqual([...coarse.present]);
        expect(parts.findIndex(({ energyKwh }, at) => !close(coarse.energyKwh(at), energyKwh))).toBe(-1);
        expectSameTotals(coarse, fine);
        const known = [...cells].filter((value) => !Number.isNaN(value));
        expect(fine.totals().presentCells).toBe(known.length);
        expect(close(fine.totals().energyKwh, known.reduce((sum, value) => sum + value, 0) / 120)).toBe(true);
      }),
      { numRuns: RUNS },
    );
  });

  test("of the parts of a grid is that of the grid", () => {
    fc.assert(
      fc.property(series, fc.integer({ min: 1, max: 50 }), (cells, length) => {
        const grid = gridOf(900);
        const whole = summed(grid, [FIRST_CELL, cells]);
        for (let from = 0; from < cellsOfGrid(grid); from += length) {
          const part = summed(partOfGrid(grid, from, Math.min(from + length, cellsOfGrid(grid))), [FIRST_CELL, cells]);
          for (let at = 0; at < cellsOfGrid(part.grid); at++) {
            expect(part.meanKw(at)).toBe(whole.meanKw(from + at));
            expect(part.endMs(at)).toBe(whole.endMs(from + at));
          }
        }
      }),
      { numRuns: RUNS },
    );
  });
});

describe("the load of a site", () => {
  test("is that of siteLoad, whatever its meters have", () => {
    const rows = fc.array(fc.array(kw, { minLength: 1, maxLength: 7 }), { minLength: 1, maxLength: 4 });
    fc.assert(
      fc.property(rows, (meters) => {
        const given = meters
          .map((values, meter) => row(meter, 0, ...values))
          .filter(({ cells }) => !cells.every(Number.isNaN));
        const [hour] = new SiteHours(new Map()).take(given, FIRST_HOUR, FIRST_HOUR);
        const range = { first: FIRST_CELL, last: FIRST_CELL + CELLS_PER_HOUR - 1 };
        const all = given.map(({ cells }) => ({ intervalSeconds: 30, firstCell: FIRST_CELL, values: cells }));
        if (given.length > 0) expect(hour?.cells).toEqual(siteLoad(all, range, 30).values);
        else expect(hour).toBeUndefined();
      }),
    );
  });

  test("is unknown while a meter that reported in the week before is silent, and known again after it", () => {
    const one = [0, 1, 168, 169, 170].map((hour) => row(1, hour, 5));
    expect(hoursOf(new Map(), [...one, row(2, 1, 7)])).toEqual([0, 1, 170]);
    expect(hoursOf(new Map([[2, FIRST_HOUR - 168]]), one)).toEqual([1, 168, 169, 170]);
    expect(hoursOf(new Map([[2, FIRST_HOUR - 169]]), one)).toEqual([0, 1, 168, 169, 170]);
  });

  test("counts a new meter from the hour of its first reading", () => {
    const rows = [row(1, 0, 5), row(1, 1, 5), row(2, 1, 7)];
    const loads = [...new SiteHours(new Map()).take(rows, FIRST_HOUR, FIRST_HOUR + 1)].map(({ cells }) => cells[0]);
    expect(loads).toEqual([5, 12]);
  });
});
