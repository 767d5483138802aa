import fc from "fast-check";
import { expect, test } from "vitest";
import type { LoadSeries } from "../src/load-series.js";
import { measureSite } from "../src/measure-site.js";
import type { SitePerformance, SiteTask } from "../src/site-performance.js";
import { trackSite } from "../src/track-site.js";
import { afterSeconds, FIRST_CELL, task } from "./support/cells.js";

const CELLS = 40;

// Few levels on both sides of the commitment of 300, so that rows begin, break and mend often; null is a gap.
const loadKw = fc.constantFrom(null, 600, 700, 700, 700, 701, 1000, 1100, -250.3);

/** Cells from two before the start to two after the end, in any order and many of them more than once. */
const writes = fc.array(fc.record({ place: fc.integer({ min: -2, max: CELLS + 1 }), kw: loadKw }), { maxLength: 200 });

const terms = fc.record({
  seconds: fc.constantFrom(CELLS * 30, 600, null),
  cancelledAfter: fc.constantFrom(null, -30, 450),
  commitmentKw: fc.constantFrom(300, 300, 0, null),
  nowSeconds: fc.integer({ min: -60, max: CELLS * 30 + 300 }),
});

/** Both ways to the same metrics, after the same writes. */
const bothWays = (site: SiteTask, sequence: readonly { place: number; kw: number | null }[], nowMs: number) => {
  const load: LoadSeries = {
    intervalSeconds: 30,
    firstCell: FIRST_CELL - 2,
    values: new Float64Array(CELLS + 4).fill(Number.NaN),
  };
  const tracker = trackSite(site);
  for (const { place, kw } of sequence) {
    load.values[place + 2] = kw ?? Number.NaN;
    tracker.set(FIRST_CELL + place, kw ?? Number.NaN);
  }
  return { tracked: tracker.performance(nowMs), measured: measureSite(site, load, nowMs) };
};

const rounded = (site: SitePerformance): unknown =>
  JSON.parse(JSON.stringify(site), (_, value: unknown) =>
    typeof value === "number" ? Math.round(value * 1e6) / 1e6 + 0 : value,
  );

test("cell by cell gives what all cells give, whatever comes late, twice or is taken back", () => {
  fc.assert(
    fc.property(terms, writes, ({ nowSeconds, ...rest }, sequence) => {
      const { tracked, measured } = bothWays(task(rest), sequence, afterSeconds(nowSeconds));
      expect(rounded(tracked)).toEqual(rounded(measured));
    }),
    { seed: 20260601, numRuns: 2000 },
  );
});

test("a correction takes back the time of full curtailment", () => {
  const tracker = trackSite(task());
  for (let place = 0; place < 12; place++) tracker.set(FIRST_CELL + place, 700);
  expect(tracker.performance(afterSeconds(360))).toMatchObject({ secondsToFull: 30, secondsToFullHeld: 30 });
  tracker.set(FIRST_CELL, 900);
  expect(tracker.performance(afterSeconds(360))).toMatchObject({
    secondsToFull: 60,
    secondsToFullHeld: 60,
    toDate: { cellsPresent: 12, deliveredKwh: (11 * 300 + 100) / 120 },
  });
  tracker.set(FIRST_CELL + 5, Number.NaN);
  expect(tracker.performance(afterSeconds(360))).toMatchObject({ secondsToFull: 60, secondsToFullHeld: null });
});

test("cells outside the dispatch are ignored", () => {
  const tracker = trackSite(task({ seconds: 60 }));
  for (const place of [-5, 2, 1000]) tracker.set(FIRST_CELL + place, 100);
  expect(tracker.performance(afterSeconds(90))).toMatchObject({ latest: null, toDate: { cellsPresent: 0 } });
});
