import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  CELL_SECONDS,
  CELLS_PER_HOUR,
  cellCountOf,
  cellEndMs,
  firstCellOfHour,
  hourOf,
  lastCellOf,
  placeInHour,
} from "../src/grid.js";

/** Labels of the cells that a reading fills, as `HH:MM:SS`. */
const labelsOf = (end: string, intervalSeconds: number): string[] => {
  const last = lastCellOf(Date.parse(end));
  const count = cellCountOf(intervalSeconds);
  return Array.from({ length: count }, (_, index) =>
    new Date(cellEndMs(last - count + 1 + index)).toISOString().slice(11, 19),
  );
};

// Ends at any millisecond, lengths that an upload may have.
const endMs = fc.integer({ min: 0, max: Date.UTC(2100, 0, 1) });
const intervalSeconds = fc.integer({ min: 1, max: 10 }).map((steps) => steps * CELL_SECONDS);

describe("a reading fills exactly the cells whose midpoints it covers (G21)", () => {
  test("on the grid it fills the cells up to its end", () => {
    expect(labelsOf("2026-06-01T18:01:30Z", 90)).toEqual(["18:00:30", "18:01:00", "18:01:30"]);
  });

  test("10 seconds off the grid it snaps back, 20 seconds off it snaps forward", () => {
    expect(labelsOf("2026-06-01T18:00:40Z", 30)).toEqual(["18:00:30"]);
    expect(labelsOf("2026-06-01T18:00:50Z", 30)).toEqual(["18:01:00"]);
  });

  test("an end on a midpoint covers it, one a millisecond before does not", () => {
    expect(labelsOf("2026-06-01T18:00:45.000Z", 30)).toEqual(["18:01:00"]);
    expect(labelsOf("2026-06-01T18:00:44.999Z", 30)).toEqual(["18:00:30"]);
  });

  test("whatever its end and length, no cell more and no cell less", () => {
    fc.assert(
      fc.property(endMs, intervalSeconds, (end, seconds) => {
        const start = end - seconds * 1000;
        const covers = (cell: number) => {
          const midpoint = cellEndMs(cell) - (CELL_SECONDS * 1000) / 2;
          return midpoint > start && midpoint <= end;
        };
        const last = lastCellOf(end);
        const first = last - cellCountOf(seconds) + 1;
        for (let cell = first - 2; cell <= last + 2; cell++) {
          expect(covers(cell)).toBe(cell >= first && cell <= last);
        }
      }),
    );
  });

  test("readings that follow each other leave no cell between them and share none", () => {
    fc.assert(
      fc.property(endMs, intervalSeconds, (end, seconds) => {
        expect(lastCellOf(end + seconds * 1000) - lastCellOf(end)).toBe(cellCountOf(seconds));
      }),
    );
  });
});

describe("an hour", () => {
  const hour = Date.parse("2026-06-01T18:00:00Z") / 3_600_000;

  test("holds the cell labelled by its end, not the one labelled by its beginning", () => {
    expect(hourOf(lastCellOf(Date.parse("2026-06-01T18:00:00Z")))).toBe(hour - 1);
    expect(hourOf(lastCellOf(Date.parse("2026-06-01T18:00:30Z")))).toBe(hour);
    expect(hourOf(lastCellOf(Date.parse("2026-06-01T19:00:00Z")))).toBe(hour);
  });

  test("has 120 places, from 0 to 119", () => {
    expect(placeInHour(firstCellOfHour(hour))).toBe(0);
    expect(placeInHour(firstCellOfHour(hour) + 119)).toBe(119);
    expect(placeInHour(firstCellOfHour(hour) + 120)).toBe(0);
  });

  test("and place name every cell once", () => {
    fc.assert(
      fc.property(fc.integer({ min: -1000, max: 2 ** 40 }), (cell) => {
        expect(placeInHour(cell)).toBeGreaterThanOrEqual(0);
        expect(placeInHour(cell)).toBeLessThan(CELLS_PER_HOUR);
        expect(firstCellOfHour(hourOf(cell)) + placeInHour(cell)).toBe(cell);
      }),
    );
  });
});
