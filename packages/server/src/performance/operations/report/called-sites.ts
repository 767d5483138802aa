import { dateOf, localTime, measuredEndMs } from "@curtail/measure";
import type { Visible } from "../../../portfolio/operations/visible-sites.js";
import type { SharedIntervals } from "../../domain/shared-energy.js";
import type { FinalVersion } from "../../domain/version.js";
import type { StandingDispatch, StandingResults, StandingSite } from "../final/standing-results.js";

/**
 * What became of a call of a site. `voided`: the dispatch was voided after its end. `cancelled`: it was cancelled, so
 * nobody is judged. `not_final`: there is no final result yet. `without_baseline`: nothing to compare the load with.
 */
export type CallOutcome = "measured" | "without_baseline" | "cancelled" | "voided" | "not_final";

/** A site in a dispatch, with the result that applies. */
export interface CalledSite {
  readonly dispatch: StandingDispatch;
  readonly standing: FinalVersion | null;
  readonly site: StandingSite;
  readonly outcome: CallOutcome;
  /** Local day of the start in the zone of the program: `2026-07-01`. */
  readonly localDate: string;
  /** When the measured period ends; null while it is open. */
  readonly endMs: number | null;
  /** Other dispatches that claim energy of the site in it, which is paid once. */
  readonly shared: readonly SharedIntervals[];
}

export const calledSites = (
  { dispatch, standing, sites }: Visible<StandingResults>,
  sharedBy: ReadonlyMap<string, readonly SharedIntervals[]> = new Map(),
): CalledSite[] => {
  const localDate = startDate(dispatch);
  const endMs = measuredEndMs(dispatch);
  return sites.map((site) => {
    const shared = sharedBy.get(site.siteId) ?? [];
    return { dispatch, standing, site, outcome: outcomeOf(dispatch, site), localDate, endMs, shared };
  });
};

/** Local day of a dispatch's start. */
export const startDate = ({ timezone, startMs }: StandingDispatch): string =>
  dateOf(localTime(timezone).dayOf(startMs / 1000));

const outcomeOf = ({ isVoid, cancelledMs }: StandingDispatch, { result }: StandingSite): CallOutcome => {
  if (isVoid) return "voided";
  if (cancelledMs !== null) return "cancelled";
  if (result === null) return "not_final";
  // A firm service level needs no baseline (M12).
  return result.baseline.state === "none" && result.compliance === null ? "without_baseline" : "measured";
};
