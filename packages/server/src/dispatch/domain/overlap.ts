import { DAY_MS, meets, type Period } from "../../platform/period.js";

/** Another dispatch in an overlapping time, and which of the sites it holds (G51). */
export interface Overlap extends Period {
  readonly dispatchId: string;
  readonly programName: string;
  /** Participants' own tests count, too. */
  readonly test: boolean;
  readonly siteIds: readonly string[];
}

/** From start to end; without a known end, 24 hours from the start or, once it runs, from now. */
export const reckoned = ({ start, end }: Period, now: Date): Period & { readonly end: Date } => ({
  start,
  end: end ?? new Date(Math.max(start.getTime(), now.getTime()) + DAY_MS),
});

/** Whether two dispatches share time; touching ends do not. */
export const isOverlapping = (a: Period, b: Period, now: Date): boolean => meets(reckoned(a, now), reckoned(b, now));

/** The same by site, in their order. */
export const bySite = (overlaps: readonly Overlap[]): ReadonlyMap<string, readonly Overlap[]> => {
  const groups = new Map<string, Overlap[]>();
  for (const overlap of overlaps) {
    for (const siteId of overlap.siteIds) {
      const known = groups.get(siteId);
      if (known === undefined) groups.set(siteId, [overlap]);
      else known.push(overlap);
    }
  }
  return groups;
};
