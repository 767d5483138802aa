import { DAY_MS, meets, type Period } from "../../platform/period.js";

/** Another dispatch at an overlapping time, and the sites they share (G51). */
export interface Overlap extends Period {
  readonly dispatchId: string;
  readonly programName: string;
  /** Participants' own tests count too. */
  readonly test: boolean;
  readonly siteIds: readonly string[];
}

/** From start to end; an open end counts as 24 hours after the start or, once it is running, after now. */
export const withAssumedEnd = ({ start, end }: Period, now: Date): Period & { readonly end: Date } => ({
  start,
  end: end ?? new Date(Math.max(start.getTime(), now.getTime()) + DAY_MS),
});

/** Whether two dispatches overlap; touching ends do not. */
export const isOverlapping = (a: Period, b: Period, now: Date): boolean =>
  meets(withAssumedEnd(a, now), withAssumedEnd(b, now));

/** Groups overlaps by site, in the order of sites; a step for each overlap. */
export function* bySite(overlaps: readonly Overlap[]): Generator<undefined, ReadonlyMap<string, readonly Overlap[]>> {
  const groups = new Map<string, Overlap[]>();
  for (const overlap of overlaps) {
    for (const siteId of overlap.siteIds) {
      const known = groups.get(siteId);
      if (known === undefined) groups.set(siteId, [overlap]);
      else known.push(overlap);
    }
    yield;
  }
  return groups;
}
