import type { LivePerformance } from "../../performance/operations/live/live-performance.js";
import type { SiteSummary } from "../../performance/operations/site-summary.js";
import type { Clock } from "../../platform/clock.js";
import { DAY_MS } from "../../platform/period.js";
import type { StatusSetting } from "../../portfolio/domain/measurement.js";
import { EXPECTED_MS, FRESH_MS } from "../domain/overview.js";

/** Totals of accounts that are not disabled, and of how they report. */
export interface OverviewCounts {
  readonly accounts: number;
  readonly sites: number;
  readonly sitesStreaming: number;
  readonly sitesStale: number;
  readonly meters: number;
  /** Meters that count in the load, and those of them that report now. */
  readonly loadMeters: number;
  readonly loadMetersReporting: number;
  readonly loadKw: number | null;
  readonly alarmsOpen: number;
}

/** A dispatch with the totals of its sites. */
export interface DispatchSums {
  readonly id: string;
  readonly programId: string;
  readonly programName: string;
  readonly test: boolean;
  readonly start: Date;
  readonly end: Date | null;
  readonly sites: number;
  readonly commitmentKw: number;
  /** null: the default limits. */
  readonly statusLimits: StatusSetting | null;
}

export interface OverviewReader {
  /** Meters with a reading after `fresh` are streaming; those with one after `expected` are missed if they are not. */
  counts(since: { readonly fresh: Date; readonly expected: Date }): Promise<OverviewCounts>;
  /** Dispatches in progress, earliest start first. */
  active(now: Date): Promise<readonly DispatchSums[]>;
  /** Not cancelled, with a part in the period; earliest start first. */
  between(period: { readonly from: Date; readonly to: Date }, limit: number): Promise<readonly DispatchSums[]>;
  upcoming(starting: { readonly after: Date; readonly by: Date }, limit: number): Promise<readonly DispatchSums[]>;
}

export interface OperatorOverviewPorts {
  readonly overview: OverviewReader;
  readonly live: LivePerformance;
  readonly clock: Clock;
}

type Colour = SiteSummary["status"]["colour"];

/** What a dispatch delivers, as far as that is available without waiting. */
export interface DispatchNow extends DispatchSums {
  readonly deliveredKw: number | null;
  readonly sitesByStatus: Readonly<Record<Colour, number>> | null;
}

export interface OperatorOverview extends OverviewCounts {
  readonly asOf: Date;
  readonly active: readonly DispatchNow[];
  readonly upcoming: readonly DispatchNow[];
}

const AHEAD_MS = 7 * DAY_MS;
const MOST_UPCOMING = 50;

export const operatorOverview = async ({ overview, live, clock }: OperatorOverviewPorts): Promise<OperatorOverview> => {
  const asOf = clock.now();
  const at = (ms: number) => new Date(asOf.getTime() + ms);
  const [counts, active, upcoming] = await Promise.all([
    overview.counts({ fresh: at(-FRESH_MS), expected: at(-EXPECTED_MS) }),
    overview.active(asOf),
    overview.upcoming({ after: asOf, by: at(AHEAD_MS) }, MOST_UPCOMING),
  ]);
  return {
    ...counts,
    asOf,
    active: active.map((dispatch) => ({ ...dispatch, ...deliveredAtHand(live, dispatch.id) })),
    upcoming: upcoming.map((dispatch) => ({ ...dispatch, ...NOTHING_KNOWN })),
  };
};

const NOTHING_KNOWN = { deliveredKw: null, sitesByStatus: null };

const deliveredAtHand = (
  live: LivePerformance,
  dispatchId: string,
): Pick<DispatchNow, "deliveredKw" | "sitesByStatus"> => {
  const tracker = live.trackerNow(dispatchId);
  if (tracker === null) return NOTHING_KNOWN;
  const { totals, sites } = tracker.report();
  return { deliveredKw: totals.now.reductionKw, sitesByStatus: countStatuses(sites) };
};

const countStatuses = (sites: readonly SiteSummary[]): Record<Colour, number> => {
  const counts: Record<Colour, number> = { red: 0, amber: 0, green: 0, blue: 0, grey: 0 };
  for (const { status } of sites) counts[status.colour] += 1;
  return counts;
};
