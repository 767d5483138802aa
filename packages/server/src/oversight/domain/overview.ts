import { type Dispatch, type DispatchSite, inProgress, isUpcoming } from "../../dispatch/domain/dispatch.js";
import { DAY_MS } from "../../platform/period.js";

/** A meter with a reading within this time counts as streaming. */
export const FRESH_MS = 15 * 60_000;
/** A meter with a reading within this time is expected to continue: without it, the site's load is incomplete. */
const EXPECTED_MS = 7 * DAY_MS;

export interface NewestReading {
  readonly at: Date;
  readonly powerKw: number;
}

/** The latest readings of a site's meters. */
export interface SiteReadings {
  /** Sum of all streaming meters of any asset type, as in every load of a site; null without one. */
  readonly loadKw: number | null;
  readonly lastAt: Date | null;
  /** No meter is streaming, or an expected one fell silent. */
  readonly isStale: boolean;
}

/** `newest` has the newest reading of each meter that ever sent one. */
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

/** How long a cancelled dispatch without an end is still shown. */
const CANCELLED_SHOWN_MS = 3_600_000;

/**
 * What an account has to know now, the most urgent first: dispatches in progress by their end, upcoming ones by their
 * start, then cancelled ones until they would have ended.
 */
export const currentOfAccount = (dispatches: readonly Dispatch[], now: Date): readonly Dispatch[] => {
  const ofState = (is: (dispatch: Dispatch, at: Date) => boolean) => dispatches.filter((each) => is(each, now));
  return [
    ...ofState(inProgress).toSorted((a, b) => endMs(a) - endMs(b) || a.start.getTime() - b.start.getTime()),
    ...ofState(isUpcoming).toSorted((a, b) => a.start.getTime() - b.start.getTime()),
    ...ofState(isCancelledLately).toSorted((a, b) => a.start.getTime() - b.start.getTime()),
  ];
};

const endMs = ({ end }: Dispatch): number => end?.getTime() ?? Number.POSITIVE_INFINITY;

const isCancelledLately = ({ authorized, voidReason, end, changedAt }: Dispatch, now: Date): boolean =>
  !authorized &&
  voidReason === null &&
  (end === null ? changedAt.getTime() + CANCELLED_SHOWN_MS : end.getTime()) > now.getTime();

/** A site in a dispatch. */
export interface DispatchedSite {
  readonly dispatch: Dispatch;
  readonly site: DispatchSite;
  readonly state: "upcoming" | "in_progress";
}

/** The current or else the next dispatch of each site, by site id. */
export const currentDispatches = (dispatches: readonly Dispatch[], now: Date): ReadonlyMap<string, DispatchedSite> => {
  const byStart = dispatches.toSorted((a, b) => a.start.getTime() - b.start.getTime());
  const active = byStart.filter((each) => inProgress(each, now));
  const upcoming = byStart.filter((each) => isUpcoming(each, now));
  const calls = new Map<string, DispatchedSite>();
  for (const [state, some] of [["in_progress", active] as const, ["upcoming", upcoming] as const])
    for (const dispatch of some)
      for (const site of dispatch.sites) if (!calls.has(site.id)) calls.set(site.id, { dispatch, site, state });
  return calls;
};
