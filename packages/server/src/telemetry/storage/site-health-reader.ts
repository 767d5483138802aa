import { CELLS_PER_HOUR } from "@curtail/measure";
import type { Row } from "../../platform/database/columns.js";
import type { Queryable } from "../../platform/database/database.js";
import { pageOf } from "../../platform/database/page.js";
import { readAll, readMap } from "../../platform/database/read.js";
import type { PageRequest } from "../../platform/page.js";
import { type ReportingState, reportingState } from "../domain/reporting-state.js";
import type { SiteHealth, SiteHealthReader } from "../operations/check-telemetry.js";
import { filledCells } from "./filled-cells.js";
import { newestPowers } from "./newest-cells.js";

/** Where only some sites are wanted, so many are looked at in one statement. */
const SITES_AT_ONCE = 500;

type SiteRow = Row<"sites", "seq" | "key" | "id" | "name" | "account_id"> & { readonly meters: readonly number[] };

/** In the order of their creation. */
const sitesAfter = (db: Queryable, after: number | null, most: number): Promise<SiteRow[]> =>
  readAll(db, (row: SiteRow) => row, {
    name: "sites-with-meters",
    text: `select seq, key, id, name, account_id, array(select key from meters where site_id = sites.id) as meters
      from sites where not is_simulated and ($1::bigint is null or seq > $1) order by seq limit $2`,
    values: [after, most],
  });

type Reporting = SiteRow & ReportingState;

const withStates = async (db: Queryable, sites: readonly SiteRow[], now: Date): Promise<Reporting[]> => {
  const newest = new Map((await newestPowers(db, keysOf(sites))).map(({ meter, at }) => [meter, at]));
  return sites.map((site) => ({
    ...site,
    ...reportingState(
      site.meters.map((meter) => newest.get(meter) ?? null),
      now,
    ),
  }));
};

const keysOf = (sites: readonly SiteRow[]) =>
  sites.flatMap(({ key: site, meters }) => meters.map((meter) => ({ site, meter })));

interface Wanted {
  readonly now: Date;
  readonly isStale: boolean | null;
}

/** One more than the page has, if there is one. */
const found = async (db: Queryable, { now, isStale }: Wanted, { after, limit }: PageRequest): Promise<Reporting[]> => {
  const all: Reporting[] = [];
  const most = isStale === null ? limit + 1 : SITES_AT_ONCE;
  for (let last = after; ; ) {
    const sites = await sitesAfter(db, last, most);
    const states = await withStates(db, sites, now);
    all.push(...states.filter((site) => isStale === null || site.isStale === isStale));
    if (all.length > limit || sites.length < most) return all;
    last = sites.at(-1)?.seq ?? null;
  }
};

interface Detail {
  readonly id: string;
  readonly account_name: string;
  readonly in_dispatch: boolean;
}

const detailsOf = (db: Queryable, sites: readonly SiteRow[], now: Date): Promise<ReadonlyMap<string, Detail>> =>
  readMap(db, (row: Detail) => [row.id, row] as const, {
    // Without a name, and planned for its sites: a plan for any number of them reads all dispatches.
    text: `select sites.id, accounts.name as account_name, exists (
        select from dispatch_sites join dispatches on dispatches.id = dispatch_id
        where dispatch_sites.site_id = sites.id and authorized and start_time <= $1 and (end_time is null or end_time >= $1)
      ) as in_dispatch
      from sites join accounts on accounts.id = account_id where sites.id = any($2)`,
    values: [now, sites.map(({ id }) => id)],
  });

export const siteHealthReader = (db: Queryable): SiteHealthReader => ({
  async list(wanted, page) {
    const sites = await found(db, wanted, page);
    const shown = sites.slice(0, page.limit);
    const details = await detailsOf(db, shown, wanted.now);
    const filled = await filledCells(db, keysOf(shown), wanted.now);
    return pageOf(sites, page, (site) => healthOf(site, details.get(site.id), filled));
  },
});

const healthOf = (
  { id, name, account_id: accountId, meters, lastReadingAt, staleMeters }: Reporting,
  detail: Detail | undefined,
  filled: ReadonlyMap<number, number>,
): SiteHealth => {
  const cells = meters.reduce((sum, meter) => sum + (filled.get(meter) ?? 0), 0);
  return {
    siteId: id,
    name,
    accountId,
    accountName: detail?.account_name ?? "",
    meters: meters.length,
    staleMeters,
    lastReadingAt,
    lastHour: meters.length === 0 ? null : cells / (meters.length * CELLS_PER_HOUR),
    isInDispatch: detail?.in_dispatch ?? false,
  };
};
