import {
  CELL_SECONDS,
  cellsOf,
  type LoadSeries,
  localTime,
  localTimestamp,
  measuredPeriod,
  type Period,
  type TableRow,
  type TableSite,
  tableIntervals,
  tableRows,
} from "@curtail/measure";
import type { Refusal } from "../../platform/refusal.js";
import { turns } from "../../platform/turns.js";
import type { OwnedSite } from "../../portfolio/operations/visible-sites.js";
import { type FileFormat, refuseRows } from "../../telemetry/domain/energy.js";
import type { DispatchReport } from "./measure-dispatch.js";
import type { DispatchToMeasure } from "./measurement-ports.js";
import type { SiteNumbers } from "./site-summary.js";

/** The result of a site, and the loads of the results that it replaced, oldest first. */
export interface TabledResult {
  readonly result: SiteNumbers;
  readonly earlier: readonly LoadSeries[];
}

/** The result of a dispatch, from which a table is made site by site. */
export interface DispatchTable {
  readonly dispatch: DispatchToMeasure;
  /** Its version as a final result; null while it is not final. */
  readonly version: number | null;
  readonly asOfMs: number;
  readonly sites: readonly OwnedSite[];
  /** The results of some of its sites in this order; few are in memory at a time. */
  readonly results: (sites: readonly OwnedSite[]) => AsyncIterable<TabledResult>;
}

/** A row of the table, with the site that it belongs to. */
export interface DispatchTableRow extends TableRow {
  readonly site: SiteNumbers;
  readonly localTime: string;
}

/** Refuses a file that would have too many rows. */
export const refuseTable = (table: DispatchTable, seconds: number, format: FileFormat): Refusal | null => {
  const { startMs, endMs } = periodOf(table);
  const rows = table.sites.length * Math.ceil((endMs - startMs) / 1000 / seconds);
  return refuseRows(rows, format, "choose a longer interval_seconds");
};

const periodOf = ({ dispatch, asOfMs }: DispatchTable): Period => measuredPeriod(dispatch, asOfMs);

/** Interval by interval, site by site. */
export async function* rowsOfTable(table: DispatchTable, seconds: number): AsyncGenerator<DispatchTableRow> {
  const intervals = tableIntervals(periodOf(table), seconds, table.dispatch.timezone);
  const { first } = cellsOf(periodOf(table), CELL_SECONDS);
  const time = localTime(table.dispatch.timezone);
  const othersTurn = turns();
  for await (const { result, earlier } of table.results(table.sites)) {
    for (const row of tableRows(tableSite({ result, earlier }, first), intervals)) {
      yield { ...row, site: result, localTime: localTimestamp(row.endMs, time) };
      await othersTurn();
    }
  }
}

const tableSite = ({ result, earlier }: TabledResult, firstCell: number): TableSite => {
  const { load, curve, commitmentKw, performance } = result;
  // The cells that the result counts as expected.
  const lastDueCell = firstCell + performance.toDate.cellsExpected - 1;
  return { load, baseline: curve, commitmentKw, earlier, lastDueCell };
};

/** The table of a result that is in memory. */
export const tableOfReport = ({ dispatch, version, asOfMs, sites }: DispatchReport<SiteNumbers>): DispatchTable => ({
  dispatch,
  version,
  asOfMs,
  sites,
  results: async function* (wanted) {
    const ids = new Set(wanted.map(({ siteId }) => siteId));
    for (const result of sites) if (ids.has(result.siteId)) yield { result, earlier: [] };
  },
});
