import { describe, expect, test } from "vitest";
import { addToSlots, noSlots } from "../../../src/telemetry/domain/load-slots.js";

const HOUR = 500_000;

/** An hour whose intervals from one to another (0 to 119) have a load. */
const row = (meter: number, kw: number, [from, to]: readonly [number, number], hour = HOUR) => ({
  meter,
  hour,
  cells: Float64Array.from({ length: 120 }, (_, index) => (index >= from && index <= to ? kw : Number.NaN)),
});

const slots = (rows: Parameters<typeof addToSlots>[1], hours = { from: HOUR, to: HOUR }) => {
  const sums = noSlots(hours);
  addToSlots(sums, rows, hours);
  return [...sums.values()].map(({ kw, meters }) => (meters === 0 ? null : kw));
};

describe("the sum of all meters", () => {
  test("is of the means of five minutes", () => {
    expect(slots([row(1, 10, [0, 119]), row(2, 5, [0, 4])]).slice(0, 5)).toEqual([15, 15, 15, 15, 10]);
  });

  test("holds a value for fifteen minutes, also from the hour before", () => {
    expect(slots([row(1, 10, [0, 0])])).toEqual([10, 10, 10, 10, ...Array(8).fill(null)]);
    expect(slots([row(1, 10, [110, 119], HOUR - 1)]).slice(0, 4)).toEqual([10, 10, 10, null]);
    expect(slots([row(1, 10, [90, 99], HOUR - 1)]).slice(0, 2)).toEqual([10, null]);
  });

  test("has nothing where no meter reads", () => {
    expect(slots([])).toEqual(Array(12).fill(null));
  });
});
