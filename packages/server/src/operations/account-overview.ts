import { currentReductionKw, STATUS_LIMITS } from "@curtail/measure";
import { type Dispatch, isNotified } from "../domain/dispatch.js";
import { type CalledSite, currentCalls, type SiteReadings, siteReadings } from "../domain/overview.js";
import { unavailableNow } from "../domain/schedule.js";
import type { Site } from "../domain/site.js";
import type { Clock } from "./clock.js";
import type { DispatchView } from "./list-dispatches.js";
import type { LivePerformance } from "./live-performance.js";
import type { Stores } from "./ports.js";
import type { LastReading } from "./read-telemetry.js";
import type { SiteSummary } from "./site-summary.js";

export interface AccountOverviewPorts {
  readonly stores: Pick<Stores, "sites" | "schedule">;
  readonly dispatches: DispatchView;
  readonly live: LivePerformance;
  readonly clock: Clock;
  lastReadings(meterIds: readonly string[]): Promise<ReadonlyMap<string, LastReading>>;
}

/** A dispatch as it concerns a site, and what the site delivers in it as far as that is known without waiting. */
export interface SiteCall extends CalledSite {
  readonly deliveredKw: number | null;
  readonly status: SiteSummary["status"] | null;
}

export interface SiteOverview {
  readonly site: Site;
  readonly readings: SiteReadings;
  /** Newest reading of each meter, by meter id. */
  readonly last: ReadonlyMap<string, LastReading>;
  /** null: available. */
  readonly unavailableUntil: Date | null;
  readonly call: SiteCall | null;
}

export interface AccountOverview {
  readonly asOf: Date;
  readonly sites: readonly SiteOverview[];
}

/** How the sites of an account stand now; four statements, however many they are. */
export const accountOverview = async (ports: AccountOverviewPorts, accountId: string): Promise<AccountOverview> => {
  const { stores, clock } = ports;
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
  const calls = callsNow(ports, notified, now);
  const overviewOf = (site: Site): SiteOverview => ({
    site,
    readings: siteReadings(
      site.meters.flatMap(({ id }) => last.get(id) ?? []),
      now,
    ),
    last,
    unavailableUntil: unavailable.get(site.id) ?? null,
    call: calls.get(site.id) ?? null,
  });
  return { asOf: now, sites: sites.map(overviewOf) };
};

const callsNow = (
  { live }: AccountOverviewPorts,
  dispatches: readonly Dispatch[],
  now: Date,
): ReadonlyMap<string, SiteCall> => {
  const calls = [...currentCalls(dispatches, now)];
  const active = new Set(calls.flatMap(([, { dispatch, state }]) => (state === "in_progress" ? dispatch.id : [])));
  const delivered = new Map([...active].map((id) => [id, resultsAtHand(live, id, now)]));
  return new Map(
    calls.map(([siteId, call]) => {
      const result = delivered.get(call.dispatch.id)?.get(siteId);
      return [siteId, { ...call, deliveredKw: result?.deliveredKw ?? null, status: result?.status ?? null }];
    }),
  );
};

/** What sites deliver, by their ids; null where the dispatch has yet to be read. */
const resultsAtHand = (live: LivePerformance, dispatchId: string, now: Date) => {
  const tracker = live.atHand(dispatchId);
  if (tracker === null) return null;
  const { staleSeconds } = tracker.dispatch.statusLimits ?? STATUS_LIMITS;
  const deliveredKw = (result: SiteSummary) => currentReductionKw(result, { nowMs: now.getTime(), staleSeconds });
  return new Map(
    tracker.results().map((result) => [result.siteId, { status: result.status, deliveredKw: deliveredKw(result) }]),
  );
};
