import { describe, expect, test } from "vitest";
import { measureSite } from "../src/measure-site.js";
import { measureDispatch, portfolioOf } from "../src/portfolio.js";
import { reboundOf } from "../src/rebound.js";
import { STATUS_LIMITS, statusOf } from "../src/status.js";
import { afterSeconds, cells, task } from "./support/cells.js";

const siteOf = (kw: readonly (number | null)[], commitmentKw: number | null, nowSeconds = kw.length * 30) => ({
  commitmentKw,
  performance: measureSite(task({ commitmentKw }), cells(kw), afterSeconds(nowSeconds)),
});

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

describe("rebound", () => {
  const baseline = task().baseline;
  const after = (kw: readonly (number | null)[]) => reboundOf({ load: cells(kw), baseline }, afterSeconds(60), 180);

  test("is what the load rises above its baseline after the end; what is below does not count against it", () => {
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

  test("is grey under 80 % coverage, not at it", () => {
    expect(statusOf(siteOf([null, 900, 900, 900, 900], 100).performance, afterSeconds(150)).colour).toBe("green");
    expect(statusOf(siteOf([null, 900, 900, 900], 100).performance, afterSeconds(120))).toEqual(
      grey("too few readings"),
    );
  });

  test("is grey without readings, without a baseline and without a commitment", () => {
    expect(statusOf(siteOf([], 100).performance, afterSeconds(0))).toEqual(grey("no readings"));
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
