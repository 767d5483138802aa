import { CELL_SECONDS, type LoadSeries, onGrid, valueAt } from "@curtail/measure";
import fc from "fast-check";
import { expect, test } from "vitest";
import {
  type CurvedSite,
  type CurveMeasuring,
  heldCellsOf,
  type PortfolioCell,
  PortfolioCurve,
} from "../../../src/performance/operations/portfolio-curve.js";

const kw = fc.oneof(fc.constant(Number.NaN), fc.integer({ min: -50, max: 500 }));

const seriesOf = (intervalSeconds: number, firstCell: fc.Arbitrary<number>, most: number): fc.Arbitrary<LoadSeries> =>
  fc
    .tuple(firstCell, fc.array(kw, { maxLength: most }))
    .map(([first, values]) => ({ intervalSeconds, firstCell: first, values: Float64Array.from(values) }));

/** Some curves begin before the load, some after it, and some have none of its cells. */
const curve = fc.constantFrom(15, 30, 300, 900, 3600).chain((seconds) => {
  const around = Math.floor((1000 * CELL_SECONDS) / seconds);
  return seriesOf(seconds, fc.integer({ min: around - 3, max: around + 3 }), 40);
});

const site: fc.Arbitrary<CurvedSite> = fc.record({
  load: seriesOf(CELL_SECONDS, fc.constantFrom(1000, 1000, 1000, 990, 1030), 60),
  curve: fc.option(curve),
  commitmentKw: fc.option(fc.integer({ min: 0, max: 100 })),
  readingSeconds: fc.constantFrom(30, 60, 300),
});

const measuring = fc.record({
  asOfMs: fc.integer({ min: 980, max: 1080 }).map((cell) => cell * CELL_SECONDS * 1000),
  isFinal: fc.boolean(),
  staleSeconds: fc.constantFrom(0, 90, 600),
});

/** What a site adds to a cell, as M10 says it; null: nothing. */
const shareOf = ({ load, curve: line, readingSeconds }: CurvedSite, cell: number, at: CurveMeasuring) => {
  if (line === null || cell < load.firstCell || cell >= load.firstCell + load.values.length) return null;
  const baseline = onGrid(line, CELL_SECONDS);
  if (cell * CELL_SECONDS * 1000 > at.asOfMs) {
    const baselineKw = valueAt(baseline, cell);
    return Number.isNaN(baselineKw) ? null : { baselineKw, loadKw: null };
  }
  for (let from = cell; from >= Math.max(load.firstCell, cell - heldCellsOf(at, readingSeconds)); from--) {
    const [loadKw, baselineKw] = [valueAt(load, from), valueAt(baseline, from)];
    if (!Number.isNaN(loadKw + baselineKw)) return { baselineKw, loadKw };
  }
  return null;
};

test("a curve of sites is the sum of what each has at that time, however their load and baseline are cut", () => {
  fc.assert(
    fc.property(fc.array(site, { maxLength: 6 }), measuring, (sites, at) => {
      const sum = new PortfolioCurve(at);
      for (const each of sites) sum.add(each);
      const cells = new Set(sites.flatMap(({ load }) => [...load.values.keys()].map((nth) => load.firstCell + nth)));
      const expected = [...cells]
        .toSorted((a, b) => a - b)
        .map((cell) => {
          const shares = sites.flatMap((each) => {
            const share = shareOf(each, cell, at);
            return share === null ? [] : [{ ...share, commitmentKw: each.commitmentKw ?? 0 }];
          });
          const total = (of: (share: (typeof shares)[number]) => number): number =>
            shares.reduce((all, share) => all + of(share), 0);
          const isKnown = shares.length > 0;
          return {
            endMs: cell * CELL_SECONDS * 1000,
            sites: shares.length,
            commitmentKw: total(({ commitmentKw }) => commitmentKw),
            baselineKw: isKnown ? total(({ baselineKw }) => baselineKw) : null,
            loadKw: isKnown && cell * CELL_SECONDS * 1000 <= at.asOfMs ? total(({ loadKw }) => loadKw ?? 0) : null,
          };
        });
      const found = sum.result().map(({ reductionKw: _r, targetKw: _t, ...cell }: PortfolioCell) => cell);
      expect(found).toEqual(expected);
    }),
  );
});
