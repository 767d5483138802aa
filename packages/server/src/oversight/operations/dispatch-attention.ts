import { currentReductionKw, STATUS_LIMITS } from "@curtail/measure";
import type { Dispatch } from "../../dispatch/domain/dispatch.js";
import type { DispatchTracker } from "../../performance/operations/live/dispatch-tracker.js";
import type { LivePerformance } from "../../performance/operations/live/live-performance.js";
import type { SiteSummary } from "../../performance/operations/site-summary.js";
import type { FirstContact } from "../../platform/alarm-ports.js";
import type { ReachChannel } from "../../platform/channel.js";
import type { Clock } from "../../platform/clock.js";
import { notFound, type Result } from "../../platform/refusal.js";
import { type AttendedSite, largestShortfalls } from "../domain/attention.js";

/** An account of a dispatch, and the channels that reached it with the latest modification, the first one first. */
export interface ReachedAccount {
  readonly accountId: string;
  readonly accountName: string;
  readonly sites: number;
  readonly commitmentKw: number;
  readonly by: ReadonlyArray<{ readonly channel: ReachChannel; readonly at: Date | null }>;
}

export interface AttentionReader {
  /** The newest modification, and whether nobody is notified of it; null for an unknown dispatch. */
  announced(dispatchId: string): Promise<Pick<Dispatch, "modificationNumber" | "isRecord"> | null>;
  /** Accounts that are not disabled, the largest commitments first. */
  accounts(dispatchId: string, modificationNumber: number): Promise<readonly ReachedAccount[]>;
  contacts(accountIds: readonly string[]): Promise<ReadonlyMap<string, FirstContact>>;
  /** Of sites, the newest reading of their meters. */
  lastReadings(siteIds: readonly string[]): Promise<ReadonlyMap<string, Date>>;
}

export interface AttentionPorts {
  readonly attention: AttentionReader;
  readonly live: LivePerformance;
  readonly clock: Clock;
}

export interface SiteAttention extends AttendedSite {
  readonly lastReadingAt: Date | null;
  readonly account: ReachedAccount | null;
}

export interface DispatchAttention {
  readonly asOf: Date;
  readonly modificationNumber: number;
  readonly accounts: readonly ReachedAccount[];
  readonly unreached: readonly ReachedAccount[];
  /** null: not measured yet. */
  readonly worstSites: readonly SiteAttention[] | null;
  readonly contacts: ReadonlyMap<string, FirstContact>;
}

const MOST_UNREACHED = 20;
const MOST_SITES = 5;

/** What an operator should look at in a dispatch: who was not reached, and which sites fall short. */
export const dispatchAttention = async (
  { attention, live, clock }: AttentionPorts,
  dispatchId: string,
): Promise<Result<DispatchAttention>> => {
  const announced = await attention.announced(dispatchId);
  if (announced === null) return notFound("dispatch");
  const { modificationNumber, isRecord } = announced;
  const asOf = clock.now();
  const accounts = await attention.accounts(dispatchId, modificationNumber);
  const unreached = isRecord ? [] : accounts.filter(({ by }) => by.length === 0).slice(0, MOST_UNREACHED);
  const worst = worstOf(live, dispatchId, asOf);
  const concerned = [...unreached, ...(worst ?? [])].map(({ accountId }) => accountId);
  const [contacts, readings] = await Promise.all([
    attention.contacts([...new Set(concerned)]),
    attention.lastReadings((worst ?? []).map(({ siteId }) => siteId)),
  ]);
  const known = new Map(accounts.map((account) => [account.accountId, account]));
  const worstSites =
    worst?.map((site) => ({
      ...site,
      lastReadingAt: readings.get(site.siteId) ?? null,
      account: known.get(site.accountId) ?? null,
    })) ?? null;
  return { asOf, modificationNumber, accounts, unreached, worstSites, contacts };
};

const worstOf = (live: LivePerformance, dispatchId: string, asOf: Date): readonly AttendedSite[] | null => {
  const tracker = live.trackerNow(dispatchId);
  return tracker === null ? null : largestShortfalls(attendedSites(tracker, asOf), MOST_SITES);
};

/** Each site of a dispatch, with what it delivers now. */
export const attendedSites = (tracker: DispatchTracker, asOf: Date): readonly AttendedSite[] => {
  const { staleSeconds } = tracker.dispatch.statusLimits ?? STATUS_LIMITS;
  const attended = (site: SiteSummary): AttendedSite => ({
    siteId: site.siteId,
    siteName: site.name,
    accountId: site.accountId,
    status: site.status,
    commitmentKw: site.commitmentKw,
    deliveredKw: currentReductionKw(site, { nowMs: asOf.getTime(), staleSeconds }),
  });
  return tracker.report().sites.map(attended);
};
