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

  test("leaves out intervals that one of them has not, or with another length", () => {
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
    expect([...intervals.powerKw]).toEqual([4]);
    expect(unmatched).toBe(3);
  });
});
