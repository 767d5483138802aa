import { describe, expect, test } from "vitest";
import { measureSite } from "../src/measure-site.js";
import { siteLoad } from "../src/site-load.js";
import { afterSeconds, cells, FIRST_CELL, task } from "./support/cells.js";

const repeated = (count: number, kw: number | null) => Array.from({ length: count }, () => kw);

describe("to date", () => {
  test("is the mean over the cells that are present; a gap counts against coverage alone", () => {
    const site = measureSite(task(), cells([900, null, 600, 400]), afterSeconds(120));
    expect(site.toDate).toMatchObject({
      cellsExpected: 4,
      cellsPresent: 3,
      coverage: 0.75,
      meanReductionKw: (100 + 400 + 600) / 3,
      deliveredKwh: 1100 / 120,
      deliveredCappedKwh: (100 + 300 + 300) / 120,
      committedKwh: 10,
      shareAtCommitment: 2 / 3,
    });
    expect(site.toDate.performance).toBeCloseTo(1100 / 900, 12);
  });

  test("counts load above baseline as negative, and as 0 where floored", () => {
    const { toDate, latest } = measureSite(task(), cells([600, 1240]), afterSeconds(60));
    expect(toDate).toMatchObject({ deliveredKwh: 160 / 120, deliveredFlooredKwh: 400 / 120 });
    expect(latest).toMatchObject({ reductionKw: -240, performance: -0.8, targetKw: 700 });
  });

  test("of a site that exports more than its baseline is a reduction", () => {
    const { toDate } = measureSite(task({ commitmentKw: 1000 }), cells([-500]), afterSeconds(30));
    expect(toDate).toMatchObject({ meanReductionKw: 1500, performance: 1.5 });
  });

  test("before the first cell is expected nothing is known", () => {
    const site = measureSite(task(), cells([]), afterSeconds(0));
    expect(site).toMatchObject({ isFinal: false, latest: null });
    expect(site.toDate).toMatchObject({ cellsExpected: 0, coverage: null, meanReductionKw: null, performance: null });
  });

  test("counts a cell that a fast clock sent early as expected, too", () => {
    const { toDate } = measureSite(task(), cells([700, 700]), afterSeconds(30));
    expect(toDate).toMatchObject({ cellsExpected: 2, cellsPresent: 2, coverage: 1 });
  });
});

describe("performance is undefined", () => {
  test.each([0, null])("with a commitment of %s, while energy is still told", (commitmentKw) => {
    const site = measureSite(task({ commitmentKw }), cells([700, 700]), afterSeconds(60));
    expect(site.toDate).toMatchObject({ performance: null, meanReductionKw: 300, deliveredKwh: 5 });
    expect(site).toMatchObject({ secondsToFull: null, secondsToFullHeld: null, rampKwPerMinute: null });
    expect(site.latest?.performance).toBeNull();
  });

  test("without a commitment there is nothing committed and no cap", () => {
    const { toDate } = measureSite(task({ commitmentKw: null }), cells([700]), afterSeconds(30));
    expect(toDate).toMatchObject({ committedKwh: null, deliveredCappedKwh: null, shareAtCommitment: null });
  });

  test("if the baseline is missing", () => {
    const site = task();
    const none = { ...site, baseline: { ...site.baseline, values: site.baseline.values.map(() => Number.NaN) } };
    const { toDate, latest } = measureSite(none, cells([700]), afterSeconds(30));
    expect(toDate).toMatchObject({ cellsPresent: 0, cellsExpected: 1, meanReductionKw: null, performance: null });
    expect(latest).toMatchObject({ loadKw: 700, baselineKw: null, reductionKw: null, targetKw: null });
  });
});

describe("the end of a dispatch", () => {
  const load = cells([...repeated(10, 700), ...repeated(50, 1000)]);

  test("ends the measuring", () => {
    const site = measureSite(task({ seconds: 300 }), load, afterSeconds(1200));
    expect(site).toMatchObject({ isFinal: true, toDate: { cellsExpected: 10, performance: 1 } });
  });

  test("is its cancellation if that comes first", () => {
    const cancelled = measureSite(task({ seconds: 1200, cancelledAfter: 300 }), load, afterSeconds(1200));
    expect(cancelled).toMatchObject({ isFinal: true, toDate: { cellsExpected: 10, performance: 1 } });
    const late = measureSite(task({ seconds: 300, cancelledAfter: 900 }), load, afterSeconds(1200));
    expect(late.toDate.cellsExpected).toBe(10);
  });

  test("leaves nothing to measure if it was cancelled before it began", () => {
    const site = measureSite(task({ cancelledAfter: -60 }), load, afterSeconds(300));
    expect(site).toMatchObject({ isFinal: true, latest: null, toDate: { cellsExpected: 0, cellsPresent: 0 } });
  });

  test("that is open is now, and the result never final", () => {
    const site = measureSite(task({ seconds: null }), load, afterSeconds(600));
    expect(site).toMatchObject({ isFinal: false, toDate: { cellsExpected: 60, cellsPresent: 60 } });
    const early = measureSite(task({ seconds: null }), cells(repeated(10, 700)), afterSeconds(600));
    expect(early.toDate).toMatchObject({ cellsExpected: 20, cellsPresent: 10 });
  });
});

describe("full curtailment", () => {
  test("is the end of the first cell at commitment, and a ramp is counted from the cell before the start", () => {
    const site = measureSite(task(), cells([900, 800, 700, 900], 990), afterSeconds(120));
    expect(site).toMatchObject({ secondsToFull: 90, secondsToFullHeld: null });
    expect(site.rampKwPerMinute).toBeCloseTo((300 - 10) / 1.5, 9);
  });

  test("has no ramp if the cell before the start is missing", () => {
    expect(measureSite(task(), cells([700]), afterSeconds(30)).rampKwPerMinute).toBeNull();
  });

  test("is held from the first of ten cells in a row", () => {
    const load = cells([700, 900, ...repeated(9, 700), 900, ...repeated(10, 690)]);
    expect(measureSite(task({ seconds: 660 }), load, afterSeconds(660))).toMatchObject({
      secondsToFull: 30,
      secondsToFullHeld: 390,
    });
  });

  test("is not held across a gap", () => {
    const load = cells([...repeated(9, 700), null, ...repeated(9, 700)]);
    expect(measureSite(task(), load, afterSeconds(600))).toMatchObject({ secondsToFull: 30, secondsToFullHeld: null });
  });

  test("is reached by decimals that a double cannot hold", () => {
    const exact = { ...task(), commitmentKw: 0.3 };
    // 1000 − 999.7 is 0.29999999999995…
    expect(measureSite(exact, cells([999.7]), afterSeconds(30)).secondsToFull).toBe(30);
    expect(measureSite(exact, cells([999.71]), afterSeconds(30)).secondsToFull).toBeNull();
  });
});

test.each([
  [14, 150],
  [15, 250],
])("a dispatch %d s off the grid holds the cells whose midpoints it covers", (seconds, meanReductionKw) => {
  const dispatch = { startMs: afterSeconds(seconds), endMs: afterSeconds(seconds + 60), cancelledMs: null };
  const { toDate } = measureSite({ ...task(), dispatch }, cells([900, 800, 700, 600]), afterSeconds(600));
  expect(toDate).toMatchObject({ meanReductionKw });
});

test("a baseline on a coarser grid holds for all of its cells", () => {
  const hourly = { intervalSeconds: 3600, firstCell: (FIRST_CELL - 1) / 120 + 1, values: Float64Array.of(1000) };
  const site = measureSite({ ...task(), baseline: hourly }, cells([700, 700]), afterSeconds(60));
  expect(site.toDate).toMatchObject({ cellsPresent: 2, meanReductionKw: 300 });
});

describe("the load of a site", () => {
  const range = { first: FIRST_CELL, last: FIRST_CELL + 2 };

  test("is the sum of its meters where every one that reports has the cell", () => {
    const load = siteLoad([cells([100, 200, null]), cells([-30, null, 40])], range, 30);
    expect(load).toEqual({
      intervalSeconds: 30,
      firstCell: FIRST_CELL,
      values: Float64Array.of(70, Number.NaN, Number.NaN),
    });
  });

  test("does not wait for a meter that never reported", () => {
    expect([...siteLoad([cells([100, 200, 300]), cells([null, null, null])], range, 30).values]).toEqual([
      100, 200, 300,
    ]);
  });

  test("waits for a meter that reported once, though it is silent now", () => {
    const silent = cells([null, null, null], 50);
    expect([...siteLoad([cells([100, 200, 300]), silent], range, 30).values]).toEqual([
      Number.NaN,
      Number.NaN,
      Number.NaN,
    ]);
  });

  test("is missing without meters", () => {
    expect([...siteLoad([], range, 30).values]).toEqual([Number.NaN, Number.NaN, Number.NaN]);
  });
});

describe("M10: unknown is null", () => {
  test("what was delivered, before the first cell has come", () => {
    const { toDate } = measureSite(task(), cells([null, null]), afterSeconds(60));
    expect(toDate).toMatchObject({ deliveredKwh: null, deliveredFlooredKwh: null, deliveredCappedKwh: null });
    expect(toDate.committedKwh).toBe(5);
  });

  test("energy is committed to the second of start and end, not to the cell", () => {
    const whole = task();
    const dispatch = { ...whole.dispatch, startMs: afterSeconds(10), endMs: afterSeconds(100) };
    const { toDate } = measureSite({ ...whole, dispatch }, cells([700, 700, 700]), afterSeconds(200));
    expect(toDate).toMatchObject({ cellsExpected: 3, committedKwh: (300 * 90) / 3600 });
    const halfway = measureSite({ ...whole, dispatch }, cells([700, 700]), afterSeconds(60));
    expect(halfway.toDate.committedKwh).toBe((300 * 50) / 3600);
  });
});

describe("M12: under a firm service level", () => {
  const level = { ...task({ commitmentKw: null }), baseline: cells([]), levelKw: 500 };

  test("cells with load are present, and the share that complies is known without a baseline", () => {
    const { toDate, recent } = measureSite(level, cells([600, 500, null, 400]), afterSeconds(120));
    expect(toDate).toMatchObject({ cellsPresent: 3, coverage: 0.75, shareComplying: 2 / 3, meanReductionKw: null });
    expect(recent).toMatchObject({ cellsPresent: 3, shareComplying: 2 / 3 });
  });

  test("nothing is known of compliance without load, nor by other methods", () => {
    expect(measureSite(level, cells([]), afterSeconds(60)).toDate.shareComplying).toBeNull();
    expect(measureSite(task(), cells([700]), afterSeconds(30)).toDate.shareComplying).toBeNull();
  });
});
