import { CELL_SECONDS, cellEndMs, onGrid, valueAt } from "@curtail/measure";
import type { OwnedSite } from "../../../portfolio/operations/visible-sites.js";
import { type CurvedSite, type CurveMeasuring, heldCellsOf } from "../portfolio-curve.js";

/** What a site delivered at a moment; null: unknown. */
export interface SiteAt extends OwnedSite {
  /** End of the interval that counts at that moment. */
  readonly endMs: number | null;
  readonly loadKw: number | null;
  readonly baselineKw: number | null;
}

/** By the rule of the curve of all sites: the newest interval with load and baseline counts until it is too old. */
export const siteAt = (
  { siteId, accountId, load, curve, readingSeconds }: CurvedSite & OwnedSite,
  atMs: number,
  measuring: CurveMeasuring,
): SiteAt => {
  const unknown = { siteId, accountId, endMs: null, loadKw: null, baselineKw: null };
  if (curve === null) return unknown;
  const baseline = onGrid(curve, CELL_SECONDS);
  const last = Math.floor(atMs / 1000 / CELL_SECONDS);
  for (let cell = last; cell >= last - heldCellsOf(measuring, readingSeconds); cell--) {
    const [loadKw, baselineKw] = [valueAt(load, cell), valueAt(baseline, cell)];
    if (!Number.isNaN(loadKw) && !Number.isNaN(baselineKw))
      return { siteId, accountId, endMs: cellEndMs(cell), loadKw, baselineKw };
  }
  return unknown;
};
