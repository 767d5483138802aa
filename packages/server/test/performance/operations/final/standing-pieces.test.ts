import { expect, test } from "vitest";
import {
  type CountedDispatch,
  type StandingReader,
  type StandingSite,
  standingResults,
} from "../../../../src/performance/operations/final/standing-results.js";
import { standingDispatch, standingSite } from "../../../support/domain-forms.js";

const HOUR_MS = 3_600_000;

const dispatchOf = (number: number, siteCount: number): CountedDispatch => ({
  ...standingDispatch({ id: `dis_${number}`, startMs: number * HOUR_MS }),
  siteCount,
});

const sitesOf = (count: number): StandingSite[] =>
  Array.from({ length: count }, (_, index) => standingSite({ siteId: `site_${index}` }));

/** Reads made-up dispatches, and notes how many sites each piece has. */
const readerOf = (siteCounts: readonly number[]) => {
  const all = siteCounts.map((count, index) => dispatchOf(index, count));
  const pieces: number[] = [];
  let pages = 0;
  const reader: Pick<StandingReader, "dispatches" | "versions" | "sites"> = {
    async dispatches(_period, _filter, { after, limit }) {
      pages += 1;
      const from = after === null ? 0 : all.findIndex(({ id }) => id === after.id) + 1;
      const items = all.slice(from, from + limit);
      const last = items.at(-1);
      return { items, next: last === undefined || from + limit >= all.length ? null : last };
    },
    versions: async () => new Map(),
    async sites(of) {
      const counts = of.map(({ dispatchId }) => [dispatchId, siteCounts[Number(dispatchId.slice(4))] ?? 0] as const);
      pieces.push(counts.reduce((sum, [, count]) => sum + count, 0));
      return new Map(counts.map(([id, count]) => [id, sitesOf(count)]));
    },
  };
  return { reader: reader as StandingReader, pieces, pages: () => pages };
};

const found = async (reader: StandingReader): Promise<readonly string[]> => {
  const ids: string[] = [];
  for await (const { dispatch } of standingResults(reader, { fromMs: 0, toMs: 1 }, {})) ids.push(dispatch.id);
  return ids;
};

const idsOf = (count: number) => Array.from({ length: count }, (_, index) => `dis_${index}`);

test("dispatches are found 500 at a time, each once, and their results are read in pieces of 1,000 sites", async () => {
  const { reader, pieces, pages } = readerOf(Array.from({ length: 1200 }, () => 20));
  expect(await found(reader)).toEqual(idsOf(1200));
  expect(pages()).toBe(3);
  expect(pieces).toEqual(Array.from({ length: 24 }, () => 1000));
});

test("a dispatch of many sites is a piece of its own, wherever it is among others", async () => {
  const { reader, pieces } = readerOf([5000, 20, 5000, 20, 20]);
  expect(await found(reader)).toEqual(idsOf(5));
  expect(pieces).toEqual([5000, 20, 5000, 40]);
});
