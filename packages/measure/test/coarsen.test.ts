import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type CellSeries, coarsen } from "../src/coarsen.js";
import { cellEndMs, lastCellOf } from "../src/grid.js";

const series = (firstCell: number, ...values: number[]): CellSeries => ({
  firstCell,
  values: Float64Array.from(values),
});

const GAP = Number.NaN;
const FIVE_MINUTES = 10;

/** Labels and means of a coarser series, without its gaps. */
const pointsOf = (coarse: CellSeries, factor: number): Array<[label: string, kw: number]> =>
  [...coarse.values].flatMap(
    (kw, index): Array<[string, number]> =>
      Number.isNaN(kw) ? [] : [[new Date(cellEndMs((coarse.firstCell + index) * factor)).toISOString(), kw]],
  );

describe("a coarser interval", () => {
  test("at the grid's own spacing is the series itself", () => {
    const fine = series(3, 1, GAP, 2);
    expect(coarsen(fine, 1)).toBe(fine);
  });

  test("is the mean of its filled cells, and is there when half of them are (G24)", () => {
    expect([...coarsen(series(1, 10, 20, 30, 40, 50, GAP, GAP, GAP, GAP, GAP), FIVE_MINUTES).values]).toEqual([30]);
    expect([...coarsen(series(1, 10, 20, 30, 40, GAP, GAP, GAP, GAP, GAP, GAP), FIVE_MINUTES).values]).toEqual([GAP]);
  });

  test("counts filled zeros, and never counts gaps as zeros", () => {
    expect([...coarsen(series(1, 0, 8), 2).values]).toEqual([4]);
    expect([...coarsen(series(1, GAP, 8), 2).values]).toEqual([8]);
  });

  test("is anchored to UTC and labelled by its end, wherever the series begins", () => {
    const first = lastCellOf(Date.parse("2026-06-01T18:02:30Z"));
    const coarse = coarsen(series(first, ...Array.from({ length: 14 }, () => 7)), FIVE_MINUTES);
    expect(pointsOf(coarse, FIVE_MINUTES)).toEqual([
      ["2026-06-01T18:05:00.000Z", 7],
      ["2026-06-01T18:10:00.000Z", 7],
    ]);
  });

  test("of six hours ends at 00, 06, 12 and 18 o'clock UTC", () => {
    const day = Array.from({ length: 2880 }, (_, index) => Math.floor(index / 720));
    const coarse = coarsen(series(lastCellOf(Date.parse("2026-06-01T00:00:30Z")), ...day), 720);
    expect(pointsOf(coarse, 720)).toEqual([
      ["2026-06-01T06:00:00.000Z", 0],
      ["2026-06-01T12:00:00.000Z", 1],
      ["2026-06-01T18:00:00.000Z", 2],
      ["2026-06-02T00:00:00.000Z", 3],
    ]);
  });

  test("of nothing is nothing", () => {
    expect(coarsen(series(11), FIVE_MINUTES).values).toHaveLength(0);
  });

  test("whatever the series, agrees with the rule spelled out cell by cell", () => {
    const kw = fc.oneof(fc.constant(GAP), fc.integer({ min: -1000, max: 1000 }));
    const factors = fc.constantFrom(2, 10, 30, 60, 120);
    fc.assert(
      fc.property(
        fc.integer({ min: -500, max: 10_000 }),
        fc.array(kw, { maxLength: 400 }),
        factors,
        (first, values, factor) => {
          const coarse = coarsen(series(first, ...values), factor);
          for (const [index, mean] of coarse.values.entries()) {
            const lastCell = (coarse.firstCell + index) * factor;
            const inside = values.filter((value, at) => {
              const cell = first + at;
              return cell > lastCell - factor && cell <= lastCell && !Number.isNaN(value);
            });
            const isThere = inside.length * 2 >= factor;
            const expected = isThere ? inside.reduce((sum, value) => sum + value, 0) / inside.length : GAP;
            if (isThere) expect(mean).toBeCloseTo(expected, 9);
            else expect(mean).toBeNaN();
          }
        },
      ),
    );
  });
});
