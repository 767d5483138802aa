import { type Dispatch, type DispatchSite, inProgress, isUpcoming } from "../../dispatch/domain/dispatch.js";
import { DAY_MS } from "../../platform/period.js";

/** A meter that read within it streams. */
export const FRESH_MS = 15 * 60_000;
/** A meter that read within it is expected to go on: without it a site's load is not whole. */
export const EXPECTED_MS = 7 * DAY_MS;

interface NewestReading {
  readonly at: Date;
  readonly powerKw: number;
}

/** What the meters of a site read last. */
export interface SiteReadings {
  /** Sum of all streaming meters of any asset type, as in every load of a site; null without one. */
  readonly loadKw: number | null;
  readonly lastAt: Date | null;
  /** No meter streams, or one fell silent that is expected to. */
  readonly isStale: boolean;
}

/** The newest reading of each meter that ever read. */
export const siteReadings = (newest: readonly NewestReading[], now: Date): SiteReadings => {
  const since =
    (ms: number) =>
    ({ at }: NewestReading) =>
      at.getTime() > now.getTime() - ms;
  const fresh = newest.filter(since(FRESH_MS));
  const expected = newest.filter(since(EXPECTED_MS));
  return {
    loadKw: fresh.length === 0 ? null : fresh.reduce((sum, { powerKw }) => sum + powerKw, 0),
    lastAt: newest.reduce<Date | null>((last, { at }) => (last === null || at > last ? at : last), null),
    isStale: fresh.length === 0 || fresh.length < expected.length,
  };
};

/** A site as a dispatch calls it. */
export interface CalledSite {
  readonly dispatch: Dispatch;
  readonly site: DispatchSite;
  readonly state: "upcoming" | "in_progress";
}

/** Of each site the dispatch that concerns it now, or else next, by site id. */
export const currentCalls = (dispatches: readonly Dispatch[], now: Date): ReadonlyMap<string, CalledSite> => {
  const byStart = dispatches.toSorted((a, b) => a.start.getTime() - b.start.getTime());
  const active = byStart.filter((each) => inProgress(each, now));
  const upcoming = byStart.filter((each) => isUpcoming(each, now));
  const calls = new Map<string, CalledSite>();
  for (const [state, some] of [["in_progress", active] as const, ["upcoming", upcoming] as const])
    for (const dispatch of some)
      for (const site of dispatch.sites) if (!calls.has(site.id)) calls.set(site.id, { dispatch, site, state });
  return calls;
};
