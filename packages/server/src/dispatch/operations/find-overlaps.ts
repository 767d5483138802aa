import type { Period } from "../../platform/period.js";
import { inTurns } from "../../platform/turns.js";
import type { DispatchSite } from "../domain/dispatch.js";
import { bySite, isOverlapping, type Overlap, withAssumedEnd } from "../domain/overlap.js";
import type { DispatchStores } from "./dispatch-stores.js";

/** Overlapping dispatches of a dispatch's sites, by site. */
export type SiteOverlaps = ReadonlyMap<string, readonly Overlap[]>;

interface Searched extends Period {
  /** null: not issued yet. */
  readonly id: string | null;
  readonly sites: ReadonlyArray<Pick<DispatchSite, "id">>;
}

/** Finds sites already dispatched at the time of a dispatch: allowed, but the operator should know (G51). */
export const findOverlaps = async (
  { dispatches }: Pick<DispatchStores, "dispatches">,
  searched: Searched,
  now: Date,
): Promise<SiteOverlaps> => {
  const { start: from, end: to } = withAssumedEnd(searched, now);
  const ids = searched.sites.map(({ id }) => id);
  const found = await dispatches.meeting(ids, { from, to, exceptId: searched.id });
  return inTurns(bySite(found.filter((other) => isOverlapping(searched, other, now))));
};

export const NO_OVERLAPS: SiteOverlaps = new Map();
