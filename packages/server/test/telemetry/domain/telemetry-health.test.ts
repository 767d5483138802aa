import { describe, expect, test } from "vitest";
import { healthOf } from "../../../src/telemetry/domain/telemetry-health.js";

const CELL_MS = 30_000;
const FIRST_END_MS = Date.parse("2026-06-10T00:00:30Z");

/** A day of cells up to midnight; `kwAt` gets the index of a cell. */
const dayOf = (kwAt: (place: number) => number) => ({
  values: Float64Array.from({ length: 2880 }, (_, place) => kwAt(place)),
  firstEndMs: FIRST_END_MS,
  cellMs: CELL_MS,
});

/** A load that always varies by some kW. */
const moving = (place: number): number => 100 + (place % 7);
const between = (place: number, from: number, to: number): boolean => place >= from && place < to;
const iso = (ms: number | undefined): string => new Date(ms ?? Number.NaN).toISOString();

test("a meter that sends everything is complete, without findings", () => {
  expect(healthOf(dayOf(moving))).toEqual({ lastHour: 1, lastDay: 1, gaps: [], flatLines: [], spikes: [] });
});

test("a gap lowers the completeness of its hour, and is listed from start to end", () => {
  const health = healthOf(dayOf((place) => (between(place, 2820, 2850) ? Number.NaN : moving(place))));
  expect(health).toMatchObject({ lastHour: 0.75, lastDay: 1 - 30 / 2880 });
  expect(health.gaps.map(({ startMs, endMs }) => [iso(startMs), iso(endMs)])).toEqual([
    ["2026-06-10T23:30:00.000Z", "2026-06-10T23:45:00.000Z"],
  ]);
});

test("a meter that sent nothing has one gap of a day", () => {
  expect(healthOf(dayOf(() => Number.NaN))).toMatchObject({ lastHour: 0, lastDay: 0, gaps: [{}], spikes: [] });
});

describe("a flat line", () => {
  test.each([
    [119, 0],
    [120, 1],
  ])("of %d cells is told %d times", (cells, count) => {
    const { flatLines } = healthOf(dayOf((place) => (between(place, 1000, 1000 + cells) ? 42.5 : moving(place))));
    expect(flatLines).toHaveLength(count);
    for (const line of flatLines) {
      expect(line).toMatchObject({ powerKw: 42.5 });
      expect(line.endMs - line.startMs).toBe(cells * CELL_MS);
    }
  });

  test("at zero is no stuck meter", () => {
    expect(healthOf(dayOf((place) => (place < 1000 ? 0 : moving(place)))).flatLines).toEqual([]);
  });
});

describe("a spike", () => {
  test("is far from the day's median, in either direction, and short", () => {
    const { spikes } = healthOf(dayOf((place) => (place === 500 ? 900 : place === 700 ? -400 : moving(place))));
    expect(spikes.map(({ endMs, powerKw }) => [iso(endMs), powerKw])).toEqual([
      ["2026-06-10T04:10:30.000Z", 900],
      ["2026-06-10T05:50:30.000Z", -400],
    ]);
  });

  test("that lasts is a change of load", () => {
    expect(healthOf(dayOf((place) => (between(place, 500, 505) ? 900 : moving(place)))).spikes).toEqual([]);
  });

  test("needs a load that moves at all", () => {
    expect(healthOf(dayOf((place) => (place === 5 ? 900 : 100))).spikes).toEqual([]);
  });
});
