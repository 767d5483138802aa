import { propertyRuns } from "@curtail/testing/property-runs";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { TABLE_INTERVALS_SECONDS, type TableSite, tableIntervals, tableRows } from "../src/interval-table.js";
import { cellsOf, countOf, type LoadSeries } from "../src/load-series.js";
import { localTime, localTimestamp } from "../src/local-time.js";

const between = (start: string, end: string) => ({ startMs: Date.parse(start), endMs: Date.parse(end) });
const at = (ms: number): string => new Date(ms).toISOString().slice(11, 19);
const cut = (start: string, end: string, seconds: number, zone = "UTC") =>
  [...tableIntervals(between(start, end), seconds, zone)].map(({ startMs, endMs, cells }) => [
    at(startMs),
    at(endMs),
    countOf(cells),
  ]);

describe("the intervals of a table", () => {
  test("are cut by the clock, and the first and the last by the dispatch", () => {
    expect(cut("2026-06-10T18:10:00Z", "2026-06-10T19:20:00Z", 1800)).toEqual([
      ["18:10:00", "18:30:00", 40],
      ["18:30:00", "19:00:00", 60],
      ["19:00:00", "19:20:00", 40],
    ]);
    expect(cut("2026-06-10T18:00:10Z", "2026-06-10T18:01:20Z", 30)).toEqual([
      ["18:00:10", "18:00:30", 1],
      ["18:00:30", "18:01:00", 1],
      ["18:01:00", "18:01:20", 1],
    ]);
  });

  test("without a cell are left out: a reading counts where it covers the middle of one", () => {
    expect(cut("2026-06-10T18:00:20Z", "2026-06-10T18:01:10Z", 30)).toEqual([["18:00:30", "18:01:00", 1]]);
    expect(cut("2026-06-10T18:00:00Z", "2026-06-10T18:00:00Z", 300)).toEqual([]);
  });

  test("of an hour lie on the local clock, also in a zone of half an hour", () => {
    expect(cut("2026-06-10T18:00:00Z", "2026-06-10T20:00:00Z", 3600, "Asia/Kolkata")).toEqual([
      ["18:00:00", "18:30:00", 60],
      ["18:30:00", "19:30:00", 120],
      ["19:30:00", "20:00:00", 60],
    ]);
  });

  test("are the hours that pass when the clock is put forward or back", () => {
    const spring = cut("2026-03-08T06:00:00Z", "2026-03-08T08:00:00Z", 3600, "America/New_York");
    const autumn = cut("2026-11-01T05:00:00Z", "2026-11-01T07:00:00Z", 3600, "America/New_York");
    expect([spring, autumn]).toEqual([
      [
        ["06:00:00", "07:00:00", 120],
        ["07:00:00", "08:00:00", 120],
      ],
      [
        ["05:00:00", "06:00:00", 120],
        ["06:00:00", "07:00:00", 120],
      ],
    ]);
    // Put back by half an hour at 02:00: 01:30 to 02:00 passes twice, and an interval ends with each.
    const halfHour = cut("2026-04-04T14:00:00Z", "2026-04-04T16:30:00Z", 3600, "Australia/Lord_Howe");
    expect(halfHour.map(([from, to]) => `${from} ${to}`)).toEqual([
      "14:00:00 15:00:00",
      "15:00:00 15:30:00",
      "15:30:00 16:30:00",
    ]);
  });

  test("have exactly the cells of the period, whatever it is", () => {
    const zones = fc.constantFrom("UTC", "America/New_York", "Asia/Kolkata", "Australia/Lord_Howe");
    const startMs = fc.integer({ min: Date.parse("2020-01-01T00:00:00Z"), max: Date.parse("2030-01-01T00:00:00Z") });
    const lengthMs = fc.integer({ min: 0, max: 3 * 86_400_000 });
    const seconds = fc.constantFrom(...TABLE_INTERVALS_SECONDS);
    fc.assert(
      fc.property(startMs, lengthMs, seconds, zones, (start, length, each, zone) => {
        const period = { startMs: start, endMs: start + length };
        const whole = cellsOf(period, 30);
        const intervals = [...tableIntervals(period, each, zone)];
        const cells = intervals.flatMap(({ cells: { first, last } }) =>
          Array.from({ length: last - first + 1 }, (_, index) => first + index),
        );
        expect(cells).toEqual(Array.from({ length: countOf(whole) }, (_, index) => whole.first + index));
        for (const { startMs: from, endMs: to } of intervals) expect(to - from).toBeLessThanOrEqual(each * 1000);
      }),
      { numRuns: propertyRuns(20, { atMost: 500 }) },
    );
  });
});

const stamp = (instant: string, zone: string) => localTimestamp(Date.parse(instant), localTime(zone));

test("local time has the offset of its moment", () => {
  expect(stamp("2026-11-01T05:30:00Z", "America/New_York")).toBe("2026-11-01T01:30:00-04:00");
  expect(stamp("2026-11-01T06:30:00Z", "America/New_York")).toBe("2026-11-01T01:30:00-05:00");
  expect(stamp("2026-06-10T20:00:00Z", "Asia/Kolkata")).toBe("2026-06-11T01:30:00+05:30");
  expect(stamp("2026-01-10T20:00:00.500Z", "America/St_Johns")).toBe("2026-01-10T16:30:00-03:30");
  expect(stamp("2026-01-10T20:00:00Z", "UTC")).toBe("2026-01-10T20:00:00+00:00");
});

const START = between("2026-06-10T18:00:00Z", "2026-06-10T18:05:00Z");
const FIRST = cellsOf(START, 30).first;
const series = (...values: number[]): LoadSeries => ({
  intervalSeconds: 30,
  firstCell: FIRST,
  values: Float64Array.from(values),
});
const NO = Number.NaN;
const ten = (kw: number): number[] => Array.from({ length: 10 }, () => kw);

const rowOf = (site: Partial<TableSite> & Pick<TableSite, "load">) => {
  const rest = { baseline: series(...ten(100)), commitmentKw: 40, earlier: [], lastDueCell: FIRST + 9 };
  return [...tableRows({ ...rest, ...site }, tableIntervals(START, 300, "UTC"))];
};

describe("a row of a table", () => {
  test("has the means over the cells with load and baseline, and the energy of those alone", () => {
    expect(rowOf({ load: series(60, 60, 60, NO, NO, 50, 50, 50, 50, 50) })).toEqual([
      {
        endMs: START.endMs,
        seconds: 300,
        loadKw: 430 / 8,
        baselineKw: 100,
        targetKw: 60,
        reductionKw: 370 / 8,
        reductionKwh: (370 * 30) / 3600,
        coverage: 0.8,
        quality: "partial",
        missing: 2,
        late: 0,
        corrected: 0,
      },
    ]);
    const partly = series(100, 100, NO, NO, NO, NO, NO, NO, NO, NO);
    expect(rowOf({ load: series(...ten(60)), baseline: partly })).toMatchObject([
      { loadKw: 60, reductionKwh: (80 * 30) / 3600, coverage: 0.2, quality: "measured" },
    ]);
  });

  test("without readings is a gap of unknown numbers, never 0", () => {
    const unknown = { loadKw: null, baselineKw: null, targetKw: null, reductionKw: null, reductionKwh: null };
    expect(rowOf({ load: series(...ten(NO)) })).toMatchObject([
      { ...unknown, coverage: 0, quality: "gap", missing: 10 },
    ]);
  });

  test("without a baseline has the load, and without a commitment no target", () => {
    const load = series(...ten(-5), -5);
    expect(rowOf({ load, baseline: null })).toMatchObject([
      { loadKw: -5, baselineKw: null, targetKw: null, reductionKw: null, reductionKwh: null, coverage: 1 },
    ]);
    expect(rowOf({ load, commitmentKw: null })).toMatchObject([{ reductionKw: 105, targetKw: null }]);
    expect(rowOf({ load, commitmentKw: 0 })).toMatchObject([{ reductionKw: 105, targetKw: 100 }]);
  });

  test("counts only what is due, and there is none before anything is", () => {
    const load = series(60, 60, NO, NO, NO, NO, NO, NO, NO, NO);
    expect(rowOf({ load, lastDueCell: FIRST + 3 })).toMatchObject([{ coverage: 0.5, missing: 2, quality: "partial" }]);
    expect(rowOf({ load, lastDueCell: FIRST + 1 })).toMatchObject([{ coverage: 1, quality: "measured" }]);
    expect(rowOf({ load, lastDueCell: FIRST - 1 })).toEqual([]);
  });

  test("is as good as its worst cell, compared with every earlier result", () => {
    const load = series(...ten(60));
    const qualityOf = (...earlier: LoadSeries[]) => {
      const [row] = rowOf({ load, earlier });
      return [row?.quality, row?.late, row?.corrected];
    };
    expect(qualityOf()).toEqual(["measured", 0, 0]);
    expect(qualityOf(load)).toEqual(["measured", 0, 0]);
    expect(qualityOf(series(NO, NO, ...ten(60).slice(2)))).toEqual(["late", 2, 0]);
    expect(qualityOf(series(NO, 61, ...ten(60).slice(2)))).toEqual(["corrected", 1, 1]);
    // First missing, then wrong, then right.
    expect(qualityOf(series(NO, ...ten(60).slice(1)), series(59, ...ten(60).slice(1)))).toEqual(["corrected", 0, 1]);
    // An earlier result of a shorter period says nothing about what follows.
    expect(qualityOf(series(60, 60))).toEqual(["measured", 0, 0]);
    const [row] = rowOf({ load: series(NO, 60, ...ten(60).slice(2)), earlier: [series(60, NO, ...ten(61).slice(2))] });
    expect([row?.quality, row?.missing, row?.late, row?.corrected]).toEqual(["partial", 1, 1, 8]);
  });
});
