import { currentReductionKw, STATUS_LIMITS } from "@curtail/measure";
import type { Caller } from "../../access/operations/caller.js";
import { isNotified } from "../../dispatch/domain/dispatch.js";
import type { DispatchView } from "../../dispatch/operations/list-dispatches.js";
import type { LivePerformance } from "../../performance/operations/live-performance.js";
import type { SiteSummary } from "../../performance/operations/site-summary.js";
import type { Clock } from "../../platform/clock.js";
import { unavailableNow } from "../../portfolio/domain/schedule.js";
import type { Site } from "../../portfolio/domain/site.js";
import type { LastReadingReader, LastReadings } from "../../portfolio/operations/last-reading.js";
import type { PortfolioStores } from "../../portfolio/operations/portfolio-stores.js";
import { type Visible, visibleData } from "../../portfolio/operations/visible-sites.js";
import { currentDispatches, type DispatchedSite, siteReadings } from "../domain/overview.js";

export interface AccountOverviewPorts extends LastReadingReader {
  readonly stores: Pick<PortfolioStores, "sites" | "schedule">;
  readonly dispatches: DispatchView;
  readonly live: LivePerformance;
  readonly clock: Clock;
}

/** Recent measurements of a site, and what it delivers in its dispatch as far as that is available without waiting. */
export interface SiteData {
  readonly loadKw: number | null;
  readonly lastAt: Date | null;
  /** Newest reading of each meter, by meter id. */
  readonly last: LastReadings;
  readonly deliveredKw: number | null;
  readonly status: SiteSummary["status"] | null;
}

export interface SiteOverview {
  readonly site: Site;
  readonly isStale: boolean;
  /** null: not visible to the viewer. */
  readonly data: Visible<SiteData> | null;
  /** null: available. */
  readonly unavailableUntil: Date | null;
  /** The site's current or next dispatch. */
  readonly call: DispatchedSite | null;
}

export interface AccountOverview {
  readonly asOf: Date;
  readonly sites: readonly SiteOverview[];
}

/** Current state of a participant's sites; four statements for any number of them. */
export const accountOverview = async (
  ports: AccountOverviewPorts,
  viewer: Pick<Caller, "accountId" | "sees">,
): Promise<AccountOverview> => {
  const { stores, clock } = ports;
  const { accountId } = viewer;
  const now = clock.now();
  const sites = await stores.sites.ofAccount(accountId);
  const siteIds = sites.map(({ id }) => id);
  const [blocks, last, dispatches] = await Promise.all([
    stores.schedule.ofSites(siteIds, now),
    ports.lastReadings(sites.flatMap(({ meters }) => meters.map(({ id }) => id))),
    ports.dispatches.recentOf(accountId, now),
  ]);
  const unavailable = unavailableNow(blocks, now);
  const notified = dispatches.filter((each) => isNotified(each, now));
  const calls = currentDispatches(notified, now);
  const delivered = deliveredNow(ports, calls, now);
  const overviewOf = (site: Site): SiteOverview => {
    const newest = site.meters.flatMap(({ id }) => last.get(id) ?? []);
    const { isStale, ...readings } = siteReadings(newest, now);
    return {
      site,
      isStale,
      data: visibleData(viewer, site, { ...readings, last, ...(delivered.get(site.id) ?? nothingYet) }),
      unavailableUntil: unavailable.get(site.id) ?? null,
      call: calls.get(site.id) ?? null,
    };
  };
  return { asOf: now, sites: sites.map(overviewOf) };
};

type Delivered = Pick<SiteData, "deliveredKw" | "status">;

const nothingYet: Delivered = { deliveredKw: null, status: null };

/** What each site delivers in its current dispatch, by site id. */
const deliveredNow = (
  { live }: AccountOverviewPorts,
  calls: ReadonlyMap<string, DispatchedSite>,
  now: Date,
): ReadonlyMap<string, Delivered> => {
  const running = [...calls].filter(([, { state }]) => state === "in_progress");
  const active = new Set(running.map(([, { dispatch }]) => dispatch.id));
  const results = new Map([...active].map((id) => [id, resultsAtHand(live, id, now)]));
  return new Map(
    running.flatMap(([siteId, { dispatch }]) => {
      const result = results.get(dispatch.id)?.get(siteId);
      return result === undefined ? [] : [[siteId, result] as const];
    }),
  );
};

/** What sites deliver, by id; null if the dispatch is not read yet. */
const resultsAtHand = (live: LivePerformance, dispatchId: string, now: Date) => {
  const tracker = live.trackerNow(dispatchId);
  if (tracker === null) return null;
  const { staleSeconds } = tracker.dispatch.statusLimits ?? STATUS_LIMITS;
  const deliveredKw = (result: SiteSummary) => currentReductionKw(result, { nowMs: now.getTime(), staleSeconds });
  return new Map(
    tracker.results().map((result) => [result.siteId, { status: result.status, deliveredKw: deliveredKw(result) }]),
  );
};
