import { CELL_SECONDS, cellsOf } from "@curtail/measure";
import { expect, test } from "vitest";
import { refuseTable, rowsOfTable } from "../../../src/performance/operations/dispatch-table.js";
import { isPreparing } from "../../../src/performance/operations/live/preparing.js";
import { performanceView, type ViewPorts } from "../../../src/performance/operations/report/view-performance.js";
import type { SiteResult } from "../../../src/performance/operations/site-summary.js";
import { isRefusal } from "../../../src/platform/refusal.js";

const SITES = 1000;
const period = { startMs: Date.parse("2026-06-10T00:00:00Z"), endMs: Date.parse("2026-06-11T00:00:00Z") };
const cells = cellsOf(period, CELL_SECONDS);
const load = {
  intervalSeconds: CELL_SECONDS,
  firstCell: cells.first,
  values: new Float64Array(cells.last - cells.first + 1).fill(60),
};
const siteIds = Array.from({ length: SITES }, (_, index) => `site_${index}`);

const resultOf = (siteId: string) =>
  ({
    siteId,
    load,
    curve: null,
    commitmentKw: 40,
    performance: { toDate: { cellsExpected: load.values.length } },
  }) as unknown as SiteResult;

/** A store that notes which sites were read. */
const viewOf = () => {
  const read: string[] = [];
  const at = new Date(period.endMs + 7_200_000);
  const ports = {
    store: {
      versions: async () => [
        { version: 1, at, reason: "complete", actor: null, note: null, isLate: false, rulesVersion: 2 },
      ],
      results: async (_id: string, _version: number, wanted: readonly string[]) => {
        read.push(...wanted);
        return wanted.map(resultOf).toReversed();
      },
      earlierLoads: async () => new Map(),
    },
    reader: {
      findDispatch: async () => ({
        ...period,
        id: "dis_1",
        timezone: "UTC",
        cancelledMs: null,
        isVoid: false,
        statusLimits: null,
        sites: siteIds.map((id) => ({ id, accountId: "acc_1" })),
      }),
    },
  } as unknown as ViewPorts;
  return { view: performanceView(ports), read };
};

const tabled = async () => {
  const { view, read } = viewOf();
  const table = await view.tableOfDispatch("dis_1", {}, null);
  if (isRefusal(table) || isPreparing(table)) throw new Error("the result is final");
  return { table, read };
};

test("the table of 1,000 sites is read some sites at a time, as its rows are taken", async () => {
  const { table, read } = await tabled();
  expect(read).toEqual([]);
  const seen: string[] = [];
  let most = 0;
  for await (const { site } of rowsOfTable(table, 3600)) {
    if (seen.at(-1) !== site.siteId) seen.push(site.siteId);
    most = Math.max(most, read.length - seen.length + 1);
  }
  expect(seen).toEqual(siteIds);
  expect(most).toBe(50);
});

test("a table with more rows than its format may have is refused", async () => {
  const { table } = await tabled();
  expect(refuseTable(table, 30, "parquet")).toBeNull();
  const two = { ...table, sites: [...table.sites, ...table.sites] };
  expect(refuseTable(two, 30, "csv")).toBeNull();
  expect(refuseTable(two, 30, "parquet")).toMatchObject({
    message: "the file would have 5760000 rows, and Parquet has at most 3000000; choose a longer interval_seconds",
  });
});
