import { describe, expect, test } from "vitest";
import { segmentsOf, windowOf } from "../src/ui/row-window.js";

const view = (topPx: number) => ({ topPx, viewPx: 800, rowPx: 40 });

describe("the rows in view", () => {
  test("begin with the first while the table is below, and end with the last", () => {
    expect(windowOf(1000, view(600))).toEqual({ from: 0, to: 20 });
    expect(windowOf(1000, view(-10_000))).toEqual({ from: 240, to: 280 });
    expect(windowOf(1000, view(-39_600))).toEqual({ from: 980, to: 1000 });
  });

  test("are some even where the table is far away, and never more than there are", () => {
    for (const topPx of [9_000_000, 5000, 0, -5000, -9_000_000]) {
      const { from, to } = windowOf(25, view(topPx));
      expect(from).toBeGreaterThanOrEqual(0);
      expect(to).toBeLessThanOrEqual(25);
      expect(to).toBeGreaterThan(from);
    }
  });

  test("are as many for 100 rows as for a million", () => {
    const counts = [100, 1_000_000].map((rows) => {
      const { from, to } = windowOf(rows, view(-1600));
      return to - from;
    });
    expect(counts[0]).toBe(counts[1]);
  });
});

describe("segments", () => {
  test("have gaps for the rows before and after the window", () => {
    expect(segmentsOf(100, { from: 20, to: 40 }, null)).toEqual([
      { gap: 20 },
      { rows: { from: 20, to: 40 } },
      { gap: 60 },
    ]);
    expect(segmentsOf(5, { from: 0, to: 5 }, null)).toEqual([{ rows: { from: 0, to: 5 } }]);
  });

  test("keep the row with the focus, before and after the window, once", () => {
    const window = { from: 20, to: 40 };
    expect(segmentsOf(100, window, 3)).toEqual([
      { gap: 3 },
      { rows: { from: 3, to: 4 } },
      { gap: 16 },
      { rows: window },
      { gap: 60 },
    ]);
    expect(segmentsOf(100, window, 99)).toEqual([
      { gap: 20 },
      { rows: window },
      { gap: 59 },
      { rows: { from: 99, to: 100 } },
    ]);
    expect(segmentsOf(100, window, 19)).toEqual([
      { gap: 19 },
      { rows: { from: 19, to: 20 } },
      { rows: window },
      { gap: 60 },
    ]);
    expect(segmentsOf(100, window, 25)).toHaveLength(3);
  });

  test("always stand for all rows, also of a window of a longer list", () => {
    for (const [rows, kept] of [
      [100, 3],
      [30, null],
      [10, 9],
      [10, 50],
      [0, null],
    ] as const) {
      const total = segmentsOf(rows, { from: 20, to: 40 }, kept).reduce(
        (sum, each) => sum + ("gap" in each ? each.gap : each.rows.to - each.rows.from),
        0,
      );
      expect(total).toBe(rows);
    }
  });
});
