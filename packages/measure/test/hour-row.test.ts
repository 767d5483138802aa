import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { CELLS_PER_HOUR, firstCellOfHour } from "../src/grid.js";
import { type HourRow, hourRows, runsOf } from "../src/hour-row.js";

const meter = { site: 1, meter: 7 };
const HOUR = 494_000;
const cell = (place: number): number => firstCellOfHour(HOUR) + place;

/** The filled cells of a row with their power. */
const filled = (row: HourRow | undefined): Array<[place: number, kw: number]> =>
  [...(row?.cells ?? [])].flatMap((kw, place): Array<[number, number]> => (Number.isNaN(kw) ? [] : [[place, kw]]));

const emptyHour = (): Float64Array => new Float64Array(CELLS_PER_HOUR).fill(Number.NaN);

describe("hour rows", () => {
  test("a later reading replaces the cells it fills, and only those (G22)", () => {
    const rows = hourRows();
    rows.add(meter, cell(3), 4, 100);
    rows.add(meter, cell(2), 1, 200);
    expect(filled(rows.sorted()[0])).toEqual([
      [0, 100],
      [1, 100],
      [2, 200],
      [3, 100],
    ]);
  });

  test("a coarser reading that comes later replaces the finer one", () => {
    const rows = hourRows();
    rows.add(meter, cell(2), 1, 200);
    rows.add(meter, cell(3), 4, 100);
    expect(filled(rows.sorted()[0]).map(([, kw]) => kw)).toEqual([100, 100, 100, 100]);
  });

  test("a reading across an hour's end is in two rows", () => {
    const rows = hourRows();
    rows.add(meter, cell(CELLS_PER_HOUR + 1), 4, 5);
    const [before, after] = rows.sorted();
    expect([before?.hour, after?.hour]).toEqual([HOUR, HOUR + 1]);
    expect(filled(before).map(([place]) => place)).toEqual([118, 119]);
    expect(filled(after).map(([place]) => place)).toEqual([0, 1]);
  });

  test("a cell that nobody filled is a gap, not zero (G23)", () => {
    const rows = hourRows();
    rows.add(meter, cell(0), 1, 0);
    expect(filled(rows.sorted()[0])).toEqual([[0, 0]]);
  });

  test("meters are kept apart, and come in the order of site, meter and hour", () => {
    const rows = hourRows();
    rows.add({ site: 2, meter: 1 }, cell(0), 1, 1);
    rows.add({ site: 1, meter: 9 }, cell(CELLS_PER_HOUR), 1, 2);
    rows.add({ site: 1, meter: 9 }, cell(0), 1, 3);
    rows.add({ site: 1, meter: 8 }, cell(0), 1, 4);
    const order = rows.sorted().map((row) => [row.site, row.meter, row.hour - HOUR]);
    expect(order).toEqual([
      [1, 8, 0],
      [1, 9, 0],
      [1, 9, 1],
      [2, 1, 0],
    ]);
  });

  test("never share memory, however many there are", () => {
    const rows = hourRows();
    for (let hour = 0; hour < 200; hour++) rows.add(meter, cell(hour * CELLS_PER_HOUR + 5), 1, hour);
    const sorted = rows.sorted();
    expect(sorted.map(filled)).toEqual(Array.from({ length: 200 }, (_, hour) => [[5, hour]]));
    for (const { cells } of sorted) expect(cells).toHaveLength(CELLS_PER_HOUR);
  });
});

describe("runs of an hour", () => {
  test("are none if nothing is filled, and one if everything is", () => {
    expect(runsOf(emptyHour())).toEqual([]);
    expect(runsOf(new Float64Array(CELLS_PER_HOUR))).toEqual([{ from: 0, to: 119 }]);
  });

  test("hold exactly the filled cells, in order, with a gap between any two", () => {
    fc.assert(
      fc.property(fc.array(fc.boolean(), { minLength: CELLS_PER_HOUR, maxLength: CELLS_PER_HOUR }), (isFilled) => {
        const runs = runsOf(Float64Array.from(isFilled, (each) => (each ? 1 : Number.NaN)));
        const places = runs.flatMap(({ from, to }) => Array.from({ length: to - from + 1 }, (_, i) => from + i));
        expect(places).toEqual(isFilled.flatMap((each, place) => (each ? [place] : [])));
        for (const [index, run] of runs.slice(1).entries())
          expect(run.from).toBeGreaterThan((runs[index]?.to ?? 0) + 1);
      }),
    );
  });
});
