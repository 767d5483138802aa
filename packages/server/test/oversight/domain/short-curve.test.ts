import { describe, expect, test } from "vitest";
import { type ReducedCell, shortCurve, trendKw } from "../../../src/oversight/domain/short-curve.js";

const CELL_MS = 30_000;
const START_MS = 1_000 * CELL_MS;

/** Cells of which the first ends so many cells after the start. */
const cellsFrom = (first: number, kw: ReadonlyArray<number | null>, sites = 2): ReducedCell[] =>
  kw.map((reductionKw, index) => ({ endMs: START_MS + (first + index) * CELL_MS, sites, reductionKw }));

const short = (cells: readonly ReducedCell[], untilCells: number, mostPoints = 4) =>
  shortCurve(cells, { startMs: START_MS, untilMs: START_MS + untilCells * CELL_MS, cellMs: CELL_MS, mostPoints });

describe("a short curve", () => {
  test("has a point for each cell from the start on while they are few", () => {
    expect(short(cellsFrom(-1, [9, 9, 1, 2, 3, 4]), 3)).toEqual({
      fromMs: START_MS,
      stepMs: CELL_MS,
      deliveredKw: [1, 2, 3],
    });
  });

  test("has the means of as many cells as it takes to have few points, of those that are known", () => {
    const { stepMs, deliveredKw } = short(cellsFrom(1, [1, 3, null, 5, null, null, 7]), 7);
    expect(stepMs).toBe(2 * CELL_MS);
    expect(deliveredKw).toEqual([2, 5, null, 7]);
  });

  test("is empty before its first cell has passed", () => {
    expect(short(cellsFrom(-3, [1, 2, 3, 4, 5]), 0).deliveredKw).toEqual([]);
    expect(short([], -5).deliveredKw).toEqual([]);
  });

  test.each([1, 59, 60, 61, 119, 120, 121, 2880, 100_000])(
    "of %i cells never has more points than are wanted",
    (cells) => {
      const { stepMs, deliveredKw } = short([], cells, 60);
      expect(deliveredKw.length).toBeLessThanOrEqual(60);
      expect(deliveredKw.length * stepMs).toBeGreaterThanOrEqual(cells * CELL_MS);
    },
  );
});

describe("the trend", () => {
  const until = START_MS + 20 * CELL_MS;

  test("is the change of the last five minutes", () => {
    expect(trendKw(cellsFrom(1, [10, 0, 0, 0, 0, 0, 0, 0, 0, 0, 70]), until)).toBe(60);
  });

  test("looks at the last cell that is known, and at none that is to come", () => {
    const cells = cellsFrom(10, [10, 0, 0, 0, 0, 0, 0, 0, 0, 0, 30, 99]);
    expect(trendKw(cells, until)).toBe(20);
    expect(trendKw(cellsFrom(9, [5, 10, 0, 0, 0, 0, 0, 0, 0, 0, 30, null]), until)).toBe(25);
  });

  test("is unknown if other sites were measured then, or nothing", () => {
    const [before, now] = [cellsFrom(1, [10], 1), cellsFrom(11, [70], 2)];
    expect(trendKw([...before, ...now], until)).toBeNull();
    expect(trendKw(now, until)).toBeNull();
    expect(trendKw([...cellsFrom(1, [null]), ...now], until)).toBeNull();
    expect(trendKw([], until)).toBeNull();
  });
});
