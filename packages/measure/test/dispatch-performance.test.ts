import { describe, expect, test } from "vitest";
import { measureSite } from "../src/measure-site.js";
import { measureDispatch, portfolioOf } from "../src/portfolio.js";
import { reboundOf } from "../src/rebound.js";
import { limitsFor, STATUS_LIMITS, statusOf } from "../src/status.js";
import { afterSeconds, cells, task } from "./support/cells.js";

const siteOf = (kw: readonly (number | null)[], commitmentKw: number | null, nowSeconds = kw.length * 30) =>
  siteReading(kw, { commitmentKw, nowSeconds });

const siteReading = (
  kw: readonly (number | null)[],
  { commitmentKw = 100, nowSeconds = kw.length * 30, readingSeconds = 0 }: Partial<Reading>,
) => ({
  commitmentKw,
  readingSeconds,
  performance: measureSite({ ...task({ commitmentKw }), readingSeconds }, cells(kw), afterSeconds(nowSeconds)),
});

interface Reading {
  readonly commitmentKw: number | null;
  readonly nowSeconds: number;
  readonly readingSeconds: number;
}

const times = (count: number, kw: number): number[] => Array.from({ length: count }, () => kw);

describe("a portfolio", () => {
  test("is the sum of reductions over the sum of commitments", () => {
    expect(
      portfolioOf([
        { commitmentKw: 900, reductionKw: 900 },
        { commitmentKw: 100, reductionKw: 0 },
      ]),
    ).toEqual({ sites: 2, reductionKw: 900, commitmentKw: 1000, performance: 0.9 });
  });

  test("leaves a site without a reduction out of both sums, and one without a commitment out of performance", () => {
    expect(
      portfolioOf([
        { commitmentKw: 300, reductionKw: 150 },
        { commitmentKw: 500, reductionKw: null },
        { commitmentKw: null, reductionKw: 70 },
      ]),
    ).toEqual({ sites: 2, reductionKw: 220, commitmentKw: 300, performance: 0.5 });
  });

  test("of nothing has no performance and no reduction", () => {
    expect(portfolioOf([])).toEqual({ sites: 0, reductionKw: null, commitmentKw: 0, performance: null });
  });
});

describe("a dispatch", () => {
  const terms = { nowMs: afterSeconds(120), staleSeconds: 90 };

  test("is measured as sums over its sites", () => {
    const sites = [siteOf([800, 800, 700, 700], 300), siteOf([600, 600, 400, 400], 700)];
    expect(measureDispatch(sites, terms)).toEqual({
      sites: 2,
      commitmentKw: 1000,
      now: { sites: 2, reductionKw: 900, commitmentKw: 1000, performance: 0.9 },
      toDate: { sites: 2, reductionKw: 750, commitmentKw: 1000, performance: 0.75 },
      coverage: 1,
      deliveredKwh: 25,
      deliveredFlooredKwh: 25,
      deliveredCappedKwh: 25,
      committedKwh: expect.closeTo(1000 / 30, 9),
    });
  });

  test("counts a silent site by its commitment alone, and a late one not as now", () => {
    const sites = [siteOf([700, 700, 700, 700], 300), siteOf([500], 400, 121), siteOf([], 200, 120)];
    const measured = measureDispatch(sites, { nowMs: afterSeconds(121), staleSeconds: 90 });
    expect(measured).toMatchObject({
      sites: 3,
      commitmentKw: 900,
      now: { sites: 1, reductionKw: 300, commitmentKw: 300 },
      toDate: { sites: 2, reductionKw: 800, commitmentKw: 700 },
    });
    expect(measured.coverage).toBeCloseTo(5 / 12, 12);
  });
});

test("a site counts as now for two of its intervals", () => {
  const sites = [60, 300].map((readingSeconds) => siteReading([900], { nowSeconds: 400, readingSeconds }));
  expect(measureDispatch(sites, { nowMs: afterSeconds(400), staleSeconds: 90 }).now).toMatchObject({
    sites: 1,
    reductionKw: 100,
  });
});

describe("rebound", () => {
  const baseline = task().baseline;
  const after = (kw: readonly (number | null)[]) => reboundOf({ load: cells(kw), baseline }, afterSeconds(60), 180);

  test("is the load above its baseline after the end; load below does not offset it", () => {
    expect(after([700, 700, 900, 1120, 1060, null, 1040, 1000])).toEqual({
      cellsExpected: 6,
      cellsPresent: 5,
      peakKw: 120,
      peakBaselineKw: 1000,
      energyKwh: (120 + 60 + 40) / 120,
      secondsToBack: 150,
    });
  });

  test("counts a load as back only once it stays back", () => {
    expect(after([700, 700, 1000, 1120, 1040])).toMatchObject({ secondsToBack: 90 });
    expect(after([700, 700, 1000, 1050, 950, 1050.1])).toMatchObject({ secondsToBack: null });
  });

  test("of a load that stays below is zero, and of one unmeasured unknown", () => {
    expect(after([700, 700, 800, 900])).toMatchObject({ peakKw: 0, energyKwh: 0, secondsToBack: null });
    expect(after([700, 700])).toMatchObject({ peakKw: null, cellsPresent: 0, secondsToBack: null });
  });

  test("is watched for an hour if nothing else is said", () => {
    expect(reboundOf({ load: cells([]), baseline }, afterSeconds(60)).cellsExpected).toBe(120);
  });
});

const colourAt = (kw: number) => statusOf(siteOf([kw], 100).performance, afterSeconds(30)).colour;

const grey = (words: string) => ({ colour: "grey", words });

const inFiveMinutes = (kw: readonly number[], nowSeconds: number) =>
  siteReading(kw, { nowSeconds, readingSeconds: 300 }).performance;

/** The words this long after the newest reading. */
const wordsAt = (seconds: number, readingSeconds: number) => {
  const { performance } = siteReading(times(2, 900), { nowSeconds: 60 + seconds, readingSeconds });
  const limits = { ...limitsFor(STATUS_LIMITS, readingSeconds), leastCoverage: 0 };
  return statusOf(performance, afterSeconds(60 + seconds), limits).words;
};

describe("status", () => {
  test("changes at 75, 95 and 120 %", () => {
    expect(colourAt(1000 - 74.99)).toBe("red");
    expect(colourAt(1000 - 75)).toBe("amber");
    expect(colourAt(1000 - 94.99)).toBe("amber");
    expect(colourAt(1000 - 95)).toBe("green");
    expect(colourAt(1000 - 120)).toBe("green");
    expect(colourAt(1000 - 120.01)).toBe("blue");
  });

  test("has words that differ for every colour", () => {
    const words = [950, 910, 900, 800].map((kw) => statusOf(siteOf([kw], 100).performance, afterSeconds(30)).words);
    expect(words).toEqual(["well below commitment", "below commitment", "on commitment", "well above commitment"]);
  });

  test("is grey when the last reading is older than 90 s, until the dispatch is over", () => {
    const early = siteOf([900, 900, 900, 900, 900, 900, 900, 900, 900, 900], 100, 390).performance;
    expect(statusOf(early, afterSeconds(390), { ...STATUS_LIMITS, leastCoverage: 0 }).colour).toBe("green");
    expect(statusOf(early, afterSeconds(390.001))).toEqual(grey("readings are late"));
    const all = siteOf(
      Array.from({ length: 20 }, () => 900),
      100,
      5000,
    ).performance;
    expect(statusOf(all, afterSeconds(5000)).colour).toBe("green");
  });

  test("is of the last five minutes while the dispatch runs, and of all of it afterwards", () => {
    const kw = [...times(10, 1000), ...times(10, 900)];
    const statusAt = (seconds: number) =>
      statusOf(siteOf(kw.slice(0, Math.ceil(seconds / 30)), 100, seconds).performance, afterSeconds(seconds));
    expect(siteOf(kw, 100, 599).performance).toMatchObject({
      toDate: { performance: 0.5 },
      recent: { performance: 1 },
    });
    expect([300, 450, 599].map((seconds) => statusAt(seconds).colour)).toEqual(["red", "red", "green"]);
    expect(statusAt(600)).toEqual({ colour: "red", words: "well below commitment" });
    expect(siteOf(kw, 100, 600).performance).not.toHaveProperty("recent");
  });

  test("despite an old gap reflects what is delivered now", () => {
    const late = siteOf([...times(9, 1000).map(() => null), ...times(10, 900)], 100, 570).performance;
    expect(late.toDate.coverage).toBeLessThan(0.8);
    expect(statusOf(late, afterSeconds(570)).words).toBe("on commitment");
  });

  test("does not miss a cell that is not over", () => {
    const running = siteOf([900], 100, 59).performance;
    expect(running.toDate).toMatchObject({ cellsExpected: 1, coverage: 1 });
    expect(statusOf(siteOf([], 100, 29).performance, afterSeconds(29))).toEqual(grey("no reading due yet"));
  });

  test("does not miss readings whose interval is not over", () => {
    expect(inFiveMinutes([], 299).toDate).toMatchObject({ cellsExpected: 0, coverage: null, committedKwh: 0 });
    expect(statusOf(inFiveMinutes([], 299), afterSeconds(299))).toEqual(grey("no reading due yet"));
    expect(statusOf(inFiveMinutes([], 300), afterSeconds(300))).toEqual(grey("no readings"));
    const between = inFiveMinutes(times(10, 900), 599);
    expect(between.toDate).toMatchObject({ cellsExpected: 10, cellsPresent: 10, coverage: 1 });
    expect(statusOf(between, afterSeconds(599), limitsFor(STATUS_LIMITS, 300)).words).toBe("on commitment");
  });

  test("calls a reading late after 90 s or two of the meter's intervals, whichever is longer", () => {
    expect([wordsAt(90, 30), wordsAt(91, 30)]).toEqual(["on commitment", "readings are late"]);
    expect([wordsAt(120, 60), wordsAt(121, 60)]).toEqual(["on commitment", "readings are late"]);
    expect([wordsAt(520, 300), wordsAt(520, 240)]).toEqual(["on commitment", "readings are late"]);
  });

  test("is grey under 80 % coverage, not at it", () => {
    expect(statusOf(siteOf([null, 900, 900, 900, 900], 100).performance, afterSeconds(150)).colour).toBe("green");
    expect(statusOf(siteOf([null, 900, 900, 900], 100).performance, afterSeconds(120))).toEqual(
      grey("too few readings"),
    );
  });

  test("is grey without readings, without a baseline and without a commitment", () => {
    expect(statusOf(siteOf([], 100, 30).performance, afterSeconds(30))).toEqual(grey("no readings"));
    expect(statusOf(siteOf([900], null).performance, afterSeconds(30))).toEqual(grey("no commitment"));
    const site = task();
    const none = { ...site, baseline: { ...site.baseline, values: site.baseline.values.map(() => Number.NaN) } };
    const unmeasured = measureSite(none, cells([700]), afterSeconds(30));
    expect(statusOf(unmeasured, afterSeconds(30))).toEqual(grey("no baseline"));
  });

  test("takes other limits as parameters", () => {
    const strict = { ...STATUS_LIMITS, greenFrom: 1 };
    expect(statusOf(siteOf([901], 100).performance, afterSeconds(30), strict).colour).toBe("amber");
  });
});

describe("M11: a meter of 300 seconds", () => {
  const readingSeconds = 300;
  const limits = limitsFor(STATUS_LIMITS, readingSeconds);
  const statusAfter = (nowSeconds: number, kw: readonly number[]) => {
    const site = { ...task({ seconds: 3600, commitmentKw: 100 }), readingSeconds };
    return statusOf(measureSite(site, cells(kw), afterSeconds(nowSeconds)), afterSeconds(nowSeconds), limits);
  };

  test("is judged by what it has sent while its next reading is not due", () => {
    const firstReading = times(10, 900);
    for (const nowSeconds of [300, 420, 599, 780]) {
      expect(statusAfter(nowSeconds, firstReading).colour, `after ${nowSeconds} s`).toBe("green");
    }
  });

  test("is late after twice its interval", () => {
    expect(statusAfter(900, times(10, 900)).colour).toBe("green");
    expect(statusAfter(901, times(10, 900))).toEqual(grey("readings are late"));
  });
});

const statusUnderLevel = (kw: readonly (number | null)[]) => {
  const level = { ...task({ commitmentKw: 100 }), levelKw: 600 };
  return statusOf(measureSite(level, cells(kw), afterSeconds(300)), afterSeconds(300));
};

describe("M12: the status under a firm service level", () => {
  test.each([
    [times(10, 600), "green", "at or below the firm service level"],
    [[...times(2, 601), ...times(8, 600)], "amber", "at times above the firm service level"],
    [[...times(4, 601), ...times(6, 600)], "red", "above the firm service level"],
  ])("is compliance, not performance", (kw, colour, words) => {
    expect(statusUnderLevel(kw)).toEqual({ colour, words });
  });

  test("is grey where readings are missing, as of every site", () => {
    expect(statusUnderLevel([...times(6, 600), null, null, null, 600])).toEqual(grey("too few readings"));
    expect(statusUnderLevel([])).toEqual(grey("no readings"));
  });
});
