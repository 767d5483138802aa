import type { LivePerformance } from "../../performance/operations/live/live-performance.js";
import type { Clock } from "../../platform/clock.js";
import { DAY_MS } from "../../platform/period.js";
import { type Result, tooMany } from "../../platform/refusal.js";
import type { Seldom } from "../../platform/seldom.js";
import type { StatusSetting } from "../../portfolio/domain/measurement.js";
import { type ReportingCount, ReportingCounts, type ReportingSite } from "../domain/reporting-counts.js";
import { type DeliveredNow, deliveredAtHand, NOTHING_KNOWN } from "./delivered-now.js";

export interface OverviewCounts {
  /** That are not disabled. */
  readonly accounts: number;
  readonly alarmsOpen: number;
}

/** A dispatch with the totals of its sites. */
export interface DispatchSums {
  readonly id: string;
  readonly programId: string;
  readonly programName: string;
  readonly timezone: string;
  readonly test: boolean;
  readonly notifiedAt: Date;
  readonly start: Date;
  readonly end: Date | null;
  readonly sites: number;
  readonly commitmentKw: number;
  /** null: the default limits. */
  readonly statusLimits: StatusSetting | null;
  /** What the program gives its sites after the start; null: it says nothing of it. */
  readonly rampUpSeconds: number | null;
}

/** How the meters of all sites reported at a moment. */
export interface SitesReporting extends ReportingCount {
  readonly asOf: Date;
}

export interface OverviewReader {
  counts(now: Date): Promise<OverviewCounts>;
  /** Sites of accounts that are not disabled, whole sites a page, with how their meters report. */
  sites(): AsyncIterable<readonly ReportingSite[]>;
  /** Dispatches in progress, earliest start first. */
  active(now: Date): Promise<readonly DispatchSums[]>;
  /** Not cancelled, with a part in the period; earliest start first. */
  between(period: { readonly from: Date; readonly to: Date }, limit: number): Promise<readonly DispatchSums[]>;
  upcoming(starting: { readonly after: Date; readonly by: Date }, limit: number): Promise<readonly DispatchSums[]>;
  /** By dispatch. */
  notified(dispatchIds: readonly string[]): Promise<ReadonlyMap<string, NotifiedCount>>;
}

export interface OperatorOverviewPorts {
  readonly overview: OverviewReader;
  readonly reporting: Seldom<SitesReporting>;
  readonly live: LivePerformance;
  readonly clock: Clock;
}

/** Accounts of a dispatch, and those of them that its latest modification has reached. */
export interface NotifiedCount {
  readonly accounts: number;
  /** null: nobody is notified of a record. */
  readonly accountsNotified: number | null;
}

export interface DispatchNow extends DispatchSums, DeliveredNow {
  /** null: not counted. */
  readonly notified: NotifiedCount | null;
}

export interface OperatorOverview extends OverviewCounts, SitesReporting {
  readonly active: readonly DispatchNow[];
  readonly upcoming: readonly DispatchNow[];
}

const LATER_SECONDS = 10;
const AHEAD_MS = 7 * DAY_MS;
const MOST_UPCOMING = 50;
/** Whether accounts of a dispatch are notified matters once its start is so near. */
const COUNTED_AHEAD_MS = DAY_MS;

/** How all sites report; takes ten seconds for a million meters. */
export const sitesReporting = async ({
  overview,
  clock,
}: Pick<OperatorOverviewPorts, "overview" | "clock">): Promise<SitesReporting> => {
  const asOf = clock.now();
  const counts = new ReportingCounts();
  for await (const sites of overview.sites()) for (const site of sites) counts.add(site, asOf);
  return { asOf, ...counts.all() };
};

export const operatorOverview = async ({
  overview,
  reporting,
  live,
  clock,
}: OperatorOverviewPorts): Promise<Result<OperatorOverview>> => {
  const now = clock.now();
  const at = (ms: number) => new Date(now.getTime() + ms);
  const [sites, counts, active, upcoming] = await Promise.all([
    reporting.result(),
    overview.counts(now),
    overview.active(now),
    overview.upcoming({ after: now, by: at(AHEAD_MS) }, MOST_UPCOMING),
  ]);
  if (sites === null) return tooMany("the readings of all meters are still being counted", LATER_SECONDS);
  const soon = upcoming.filter(({ start }) => start <= at(COUNTED_AHEAD_MS));
  const notified = await overview.notified([...active, ...soon].map(({ id }) => id));
  const withNotified = (dispatch: DispatchSums, delivered: DeliveredNow): DispatchNow => ({
    ...dispatch,
    ...delivered,
    notified: notified.get(dispatch.id) ?? null,
  });
  return {
    ...sites,
    ...counts,
    active: await Promise.all(active.map(async (each) => withNotified(each, await deliveredAtHand(live, each.id)))),
    upcoming: upcoming.map((each) => withNotified(each, NOTHING_KNOWN)),
  };
};
