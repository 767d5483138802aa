import type { SharedIntervals } from "../../performance/domain/shared-energy.js";
import { type SharedEnergyIn, sharedWith } from "../../performance/operations/final/standing-results.js";
import type { DispatchToMeasure, MeasurementReader } from "../../performance/operations/measurement-ports.js";
import { notFound, type Result } from "../../platform/refusal.js";
import type { SiteStore } from "../../portfolio/operations/portfolio-stores.js";
import { sitesVisibleTo, type Viewer } from "../../portfolio/operations/visible-sites.js";

export interface SharedEnergyPorts {
  readonly measured: Pick<MeasurementReader, "findDispatch">;
  readonly sharedIn: SharedEnergyIn;
  readonly sites: Pick<SiteStore, "displayed">;
}

/** A dispatch that claims energy of sites of another one. */
export interface SharingDispatch extends SharedIntervals {
  readonly sites: number;
}

/** The dispatches that claim energy of the visible sites of a dispatch, those that are paid instead first. */
export const viewSharedEnergy = async (
  { measured, sharedIn, sites }: SharedEnergyPorts,
  viewer: Viewer,
  id: string,
): Promise<Result<readonly SharingDispatch[]>> => {
  const filter = viewer === "operators" ? {} : { accountId: viewer.accountId };
  const dispatch = await measured.findDispatch(id, filter);
  if (dispatch === null || dispatch.sites.length === 0) return notFound("dispatch");
  const shared = await sharedWith(sharedIn, dispatch, filter);
  const visible = await sitesVisibleTo(sites, viewer);
  const seen = ({ id: siteId, accountId }: DispatchToMeasure["sites"][number]) => visible.has({ siteId, accountId });
  return summedUp(dispatch.sites.filter(seen).map((site) => shared.get(site.id) ?? []));
};

const summedUp = (ofSites: readonly (readonly SharedIntervals[])[]): readonly SharingDispatch[] => {
  const sums = new Map<string, SharingDispatch>();
  for (const parts of ofSites) {
    for (const part of parts) {
      const key = `${part.dispatchId} ${part.isPaidHere}`;
      sums.set(key, added(sums.get(key), part));
    }
  }
  return [...sums.values()].toSorted(
    (a, b) =>
      Number(a.isPaidHere) - Number(b.isPaidHere) || a.fromMs - b.fromMs || (a.dispatchId < b.dispatchId ? -1 : 1),
  );
};

const added = (sum: SharingDispatch | undefined, part: SharedIntervals): SharingDispatch => {
  if (sum === undefined) return { ...part, sites: 1 };
  const { intervals, fromMs, toMs } = sum;
  return {
    ...sum,
    sites: sum.sites + 1,
    fromMs: Math.min(fromMs, part.fromMs),
    toMs: toMs === null || part.toMs === null ? null : Math.max(toMs, part.toMs),
    intervals: intervals === null || part.intervals === null ? null : intervals + part.intervals,
  };
};
