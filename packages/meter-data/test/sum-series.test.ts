import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type MeterData, type Summed, summed } from "../src/index.js";
import { readFile } from "./support/read-file.js";

const sumOf = ({ series }: MeterData): Summed => {
  const work = summed(series.map(({ intervals }) => intervals));
  for (;;) {
    const step = work.next();
    if (step.done === true) return step.value;
  }
};

const hour = (at: number): string => new Date(Date.UTC(2026, 5, 1, at)).toISOString();

describe("the sum of several series of a meter", () => {
  test("has the intervals that all of them have, and is estimated if one of them is", () => {
    const data = readFile(
      [
        "timestamp,grid kw,solar kw,heat kw",
        "2026-06-01T00:05:00Z,5,-1,2",
        "2026-06-01T00:10:00Z,5,,2",
        "2026-06-01T00:15:00Z,4,-8,0.5",
      ].join("\n"),
    );
    const { intervals, unmatched } = sumOf(data);
    expect([...intervals.powerKw]).toEqual([6, Number.NaN, -3.5]);
    expect(unmatched).toBe(0);
  });

  test("leaves out intervals within that one of them has not, or with another length", () => {
    const rows = [
      "00:05:00Z,300,a,5",
      "00:10:00Z,300,a,6",
      "00:05:00Z,300,b,-1",
      "00:10:00Z,60,b,-1",
      "00:15:00Z,300,b,-1",
    ];
    const data = readFile(
      ["timestamp,interval_seconds,meter,kw", ...rows.map((row) => `2026-06-01T${row}`)].join("\n"),
    );
    const { intervals, unmatched } = sumOf(data);
    // After the last interval of a, b counts alone.
    expect([...intervals.powerKw]).toEqual([4, -1]);
    expect(unmatched).toBe(2);
  });

  test("counts a stream from its first interval to its last: one that begins later discards nothing before", () => {
    const rows = [
      ...Array.from({ length: 24 }, (_, at) => `${hour(at)},old,10`),
      // Nothing is known of the new register at first, and then in the middle.
      ...Array.from({ length: 12 }, (_, at) => `${hour(at + 12)},new,${at < 2 || at === 6 ? "" : 10}`),
    ];
    const data = readFile(["interval_start,meter,kwh", ...rows].join("\n"));
    const { intervals, unmatched } = sumOf(data);
    const energies = [...intervals.powerKw];
    expect(energies.slice(0, 12)).toEqual(Array.from({ length: 12 }, () => 10));
    expect(energies.slice(12)).toEqual([Number.NaN, Number.NaN, 20, 20, 20, 20, Number.NaN, 20, 20, 20, 20, 20]);
    expect(unmatched).toBe(0);
  });

  test("is the plain sum of what streams have from their first to their last interval", () => {
    const stream = fc.record({
      from: fc.nat(20),
      gaps: fc.array(fc.nat(30), { maxLength: 5 }),
      length: fc.integer({ min: 1, max: 30 }),
    });
    fc.assert(
      fc.property(fc.array(stream, { minLength: 2, maxLength: 5 }), (streams) => {
        const has = streams.map(({ from, gaps, length }) =>
          Array.from(
            { length: 60 },
            (_, at) =>
              at >= from && at < from + length && (at === from || at === from + length - 1 || !gaps.includes(at)),
          ),
        );
        const rows = has.flatMap((places, meter) =>
          places.flatMap((isThere, at) =>
            isThere ? [`${new Date(at * 60_000).toISOString()},60,m${meter},${2 ** meter}`] : [],
          ),
        );
        const data = readFile(["interval_start,interval_seconds,meter,kw", ...rows].join("\n"), {}, 4096);
        const { intervals } = sumOf(data);
        const found = new Map([...intervals.startMs].map((ms, at) => [ms / 60_000, intervals.powerKw[at]]));
        for (let at = 0; at < 60; at++) {
          const counting = streams.flatMap(({ from, length }, meter) =>
            at >= from && at < from + length ? [meter] : [],
          );
          const isWhole = counting.length > 0 && counting.every((meter) => has[meter]?.[at]);
          expect(found.get(at)).toBe(isWhole ? counting.reduce((sum, meter) => sum + 2 ** meter, 0) : undefined);
        }
      }),
    );
  });
});
