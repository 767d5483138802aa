import { currentReductionKw, measuredMeters, STATUS_LIMITS, type StatusLimits } from "@curtail/measure";
import type { Caller } from "../../access/operations/caller.js";
import { type Dispatch, type DispatchPhase, isNotified, phaseOf } from "../../dispatch/domain/dispatch.js";
import type { DispatchView } from "../../dispatch/operations/dispatch-service.js";
import type { OwedStore } from "../../notification/operations/notification-stores.js";
import type { LivePerformance } from "../../performance/operations/live/live-performance.js";
import type { SiteSummary } from "../../performance/operations/site-summary.js";
import type { Clock } from "../../platform/clock.js";
import { unavailableNow } from "../../portfolio/domain/schedule.js";
import type { Site } from "../../portfolio/domain/site.js";
import type { LastReadingReader, LastReadings } from "../../portfolio/operations/last-reading.js";
import type { PortfolioStores } from "../../portfolio/operations/portfolio-stores.js";
import { type Visible, visibleData } from "../../portfolio/operations/visible-sites.js";
import { currentDispatches, currentOfAccount, type DispatchedSite, siteReadings } from "../domain/overview.js";

export interface AccountOverviewPorts extends LastReadingReader {
  readonly stores: Pick<PortfolioStores, "sites" | "schedule" | "programs"> & {
    readonly owed: Pick<OwedStore, "reached">;
  };
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
  /** Between the statuses of its dispatch; null while nothing is measured. */
  readonly limits: StatusLimits | null;
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
  /** How long before its start a block must be added. */
  readonly cutoffSeconds: number;
}

/** What a site delivers in a dispatch; null where that is not visible, or the dispatch is not in progress. */
interface OwnDispatchSite {
  readonly siteId: string;
  readonly commitmentKw: number | null;
  readonly data: Visible<Delivered> | null;
}

/** A dispatch that concerns the account now, with its own sites. */
export interface AccountDispatch {
  readonly dispatch: Dispatch;
  readonly phase: DispatchPhase;
  /** Whether the account was reached with the latest change. */
  readonly isReached: boolean;
  /** Between its statuses; null while nothing is measured. */
  readonly limits: StatusLimits | null;
  readonly sites: readonly OwnDispatchSite[];
}

export interface AccountOverview {
  readonly asOf: Date;
  readonly sites: readonly SiteOverview[];
  /** The most urgent first. */
  readonly dispatches: readonly AccountDispatch[];
}

/** Current state of a participant's sites; six statements for any number of them. */
export const accountOverview = async (
  ports: AccountOverviewPorts,
  viewer: Pick<Caller, "accountId" | "sees">,
): Promise<AccountOverview> => {
  const { stores, clock } = ports;
  const { accountId } = viewer;
  const now = clock.now();
  const sites = await stores.sites.ofAccount(accountId);
  const siteIds = sites.map(({ id }) => id);
  const [blocks, cutoffs, last, dispatches] = await Promise.all([
    stores.schedule.ofSites(siteIds, now),
    stores.programs.longestCutoffs(siteIds),
    ports.lastReadings(sites.flatMap(({ meters }) => meters.map(({ id }) => id))),
    ports.dispatches.recentOf(accountId, now),
  ]);
  const unavailable = unavailableNow(blocks, now);
  const notified = dispatches.filter((each) => isNotified(each, now));
  const calls = currentDispatches(notified, now);
  const current = currentOfAccount(notified, now);
  const delivered = deliveredNow(ports, current, now);
  const reached = await reachedBy(ports, accountId, current);
  const overviewOf = (site: Site): SiteOverview => {
    const newestOf = (meters: Site["meters"]) => meters.flatMap(({ id }) => last.get(id) ?? []);
    const { isStale, lastAt } = siteReadings(newestOf(site.meters), now);
    const { loadKw } = siteReadings(newestOf(measuredMeters(site.meters, site.measuredMeters)), now);
    const call = calls.get(site.id) ?? null;
    const inCall = call === null ? undefined : delivered.get(call.dispatch.id)?.get(site.id);
    return {
      site,
      isStale,
      data: visibleData(viewer, site, { loadKw, lastAt, last, ...(inCall ?? nothingYet) }),
      unavailableUntil: unavailable.get(site.id) ?? null,
      call,
      cutoffSeconds: cutoffs.get(site.id) ?? 0,
    };
  };
  const byId = new Map(sites.map((site) => [site.id, site]));
  const calledOf = (dispatch: Dispatch) => (called: Dispatch["sites"][number]) => {
    const [site, result] = [byId.get(called.id), delivered.get(dispatch.id)?.get(called.id)];
    const data = site === undefined || result === undefined ? null : visibleData(viewer, site, result);
    return { siteId: called.id, commitmentKw: called.commitmentKw, data };
  };
  return {
    asOf: now,
    sites: sites.map(overviewOf),
    dispatches: current.map((dispatch) => ({
      dispatch,
      phase: phaseOf(dispatch, now),
      isReached: (reached.get(dispatch.id) ?? -1) >= dispatch.modificationNumber,
      limits: [...(delivered.get(dispatch.id)?.values() ?? [])][0]?.limits ?? null,
      sites: dispatch.sites.map(calledOf(dispatch)),
    })),
  };
};

/** The newest modification of each dispatch that reached the account. */
const reachedBy = async (
  { stores }: AccountOverviewPorts,
  accountId: string,
  dispatches: readonly Dispatch[],
): Promise<ReadonlyMap<string, number>> => {
  if (dispatches.length === 0) return new Map();
  const ids = dispatches.map(({ id }) => id);
  const reached = await stores.owed.reached(ids, accountId);
  return new Map(reached.map(({ dispatchId, modificationNumber }) => [dispatchId, modificationNumber]));
};

type Delivered = Pick<SiteData, "deliveredKw" | "status" | "limits">;

const nothingYet: Delivered = { deliveredKw: null, status: null, limits: null };

/** What each site delivers in each dispatch in progress, by dispatch and site id. */
const deliveredNow = (
  { live }: AccountOverviewPorts,
  dispatches: readonly Dispatch[],
  now: Date,
): ReadonlyMap<string, ReadonlyMap<string, Delivered> | null> =>
  new Map(
    dispatches
      .filter((dispatch) => phaseOf(dispatch, now) === "active")
      .map(({ id }) => [id, resultsAtHand(live, id, now)]),
  );

/** What sites deliver, by id; null if the dispatch is not read yet. */
const resultsAtHand = (live: LivePerformance, dispatchId: string, now: Date) => {
  const tracker = live.trackerNow(dispatchId);
  if (tracker === null) return null;
  const limits = tracker.dispatch.statusLimits ?? STATUS_LIMITS;
  const { staleSeconds } = limits;
  const deliveredKw = (result: SiteSummary) => currentReductionKw(result, { nowMs: now.getTime(), staleSeconds });
  return new Map(
    tracker
      .results()
      .map((result) => [result.siteId, { status: result.status, deliveredKw: deliveredKw(result), limits }]),
  );
};
