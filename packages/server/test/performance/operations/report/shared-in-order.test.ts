import fc from "fast-check";
import { expect, test } from "vitest";
import type { StandingResults } from "../../../../src/performance/operations/final/standing-results.js";
import { onceOthersAreKnown } from "../../../../src/performance/operations/report/shared-in-order.js";
import { standingDispatch, standingSite } from "../../../support/domain-forms.js";

interface Called {
  readonly startMs: number;
  /** null: open. */
  readonly lastsMs: number | null;
  readonly sites: number;
}

const resultsOf = ({ startMs, lastsMs, sites }: Called, nth: number): StandingResults => ({
  dispatch: standingDispatch({ id: `dis_${nth}`, startMs, endMs: lastsMs === null ? null : startMs + lastsMs }),
  versions: [],
  standing: null,
  sites: Array.from({ length: sites }, () => standingSite()),
});

const read = async (called: readonly Called[]) => {
  const all = called.toSorted((a, b) => a.startMs - b.startMs).map(resultsOf);
  const known: StandingResults[] = [];
  const shown: Array<{ readonly results: StandingResults; readonly knownThen: number }> = [];
  const stream = (async function* () {
    yield* all;
  })();
  const know = async (results: StandingResults) => void known.push(results);
  for await (const results of onceOthersAreKnown(stream, { know })) shown.push({ results, knownThen: known.length });
  return { all, shown };
};

const endOf = ({ dispatch: { endMs } }: StandingResults): number => endMs ?? Number.POSITIVE_INFINITY;

test("each dispatch comes in its order, once all that overlap it are known", async () => {
  const called = fc.record({
    startMs: fc.integer({ min: 0, max: 100 }),
    lastsMs: fc.option(fc.integer({ min: 1, max: 20 }), { freq: 20 }),
    sites: fc.integer({ min: 1, max: 20 }),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(called, { maxLength: 40 }), async (dispatches) => {
      const { all, shown } = await read(dispatches);
      expect(shown.map(({ results }) => results)).toEqual(all);
      for (const { results, knownThen } of shown) {
        const overlapping = all.findLastIndex(({ dispatch }) => dispatch.startMs < endOf(results));
        expect(knownThen).toBeGreaterThan(overlapping);
      }
    }),
  );
});

test("behind a dispatch of weeks, no more than 5,000 sites and the next dispatch wait", async () => {
  const long = { startMs: 0, lastsMs: null, sites: 1000 };
  const hours = Array.from({ length: 20 }, (_, nth) => ({ startMs: nth, lastsMs: 1, sites: 1000 }));
  const { shown } = await read([long, ...hours]);
  expect(shown).toHaveLength(21);
  for (const [nth, { knownThen }] of shown.entries()) expect(knownThen - nth).toBeLessThanOrEqual(7);
});
