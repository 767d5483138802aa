import { finalAt, firstLookAt, isFinal, type Point } from "./report.js";
import type { Scenario } from "./scenario.js";

/** A reading of a site. */
export type SitePoint = Point & { readonly siteId: string };

/** The ten minutes before a notice that may itself be a minute ago (G37, G44). */
const RECENT_MS = 11 * 60_000;

/** Older readings can be used by no scenario that is created from now on. */
const recentFrom = (now: Date): Date => new Date(now.getTime() - RECENT_MS);

/** From then on no scenario can use a reading of now. */
export const recentUntil = (now: Date): Date => new Date(now.getTime() + RECENT_MS);

/** Readings up to this moment can be used by no report of these runs, which are not judged, or of one to come. */
export const heldFrom = (unjudged: readonly Scenario[], now: Date): Date =>
  unjudged.map(firstLookAt).reduce((first, each) => (each < first ? each : first), recentFrom(now));

/**
 * The readings that a report may use, those of the current run or of one that is created within minutes; of equal
 * timestamps the last, as in production.
 *
 * @param fixed ids of the sites that every scenario may name
 */
export const heldPoints = (
  points: Iterable<SitePoint>,
  { run, fixed, now }: { readonly run: Scenario | null; readonly fixed: ReadonlySet<string>; readonly now: Date },
): SitePoint[] => {
  const recentMs = recentFrom(now).getTime();
  const isOpen = run !== null && !isFinal(run, now);
  const [fromMs, untilMs] = isOpen ? [firstLookAt(run).getTime(), finalAt(run).getTime()] : [0, 0];
  const held = new Map<string, SitePoint>();
  for (const point of points) {
    const { siteId, atMs } = point;
    const isRecent = atMs > recentMs && fixed.has(siteId);
    if (isRecent || (atMs > fromMs && atMs <= untilMs)) held.set(`${siteId} ${atMs}`, point);
  }
  return [...held.values()];
};
