import type { LivePerformance } from "../../performance/operations/live/live-performance.js";
import type { Clock } from "../../platform/clock.js";
import { DAY_MS } from "../../platform/period.js";
import type { StatusSetting } from "../../portfolio/domain/measurement.js";
import { EXPECTED_MS, FRESH_MS } from "../domain/overview.js";
import { type DeliveredNow, deliveredAtHand, NOTHING_KNOWN } from "./delivered-now.js";

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

export interface OverviewReader {
  /** Meters with a reading after `fresh` are streaming; those with one after `expected` are missed if they are not. */
  counts(since: { readonly fresh: Date; readonly expected: Date }): Promise<OverviewCounts>;
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

export interface OperatorOverview extends OverviewCounts {
  readonly asOf: Date;
  readonly active: readonly DispatchNow[];
  readonly upcoming: readonly DispatchNow[];
}

const AHEAD_MS = 7 * DAY_MS;
const MOST_UPCOMING = 50;
/** Whether accounts of a dispatch are notified matters once its start is so near. */
const COUNTED_AHEAD_MS = DAY_MS;

export const operatorOverview = async ({ overview, live, clock }: OperatorOverviewPorts): Promise<OperatorOverview> => {
  const asOf = clock.now();
  const at = (ms: number) => new Date(asOf.getTime() + ms);
  const [counts, active, upcoming] = await Promise.all([
    overview.counts({ fresh: at(-FRESH_MS), expected: at(-EXPECTED_MS) }),
    overview.active(asOf),
    overview.upcoming({ after: asOf, by: at(AHEAD_MS) }, MOST_UPCOMING),
  ]);
  const soon = upcoming.filter(({ start }) => start <= at(COUNTED_AHEAD_MS));
  const notified = await overview.notified([...active, ...soon].map(({ id }) => id));
  const withNotified = (dispatch: DispatchSums, delivered: DeliveredNow): DispatchNow => ({
    ...dispatch,
    ...delivered,
    notified: notified.get(dispatch.id) ?? null,
  });
  return {
    ...counts,
    asOf,
    active: await Promise.all(active.map(async (each) => withNotified(each, await deliveredAtHand(live, each.id)))),
    upcoming: upcoming.map((each) => withNotified(each, NOTHING_KNOWN)),
  };
};
