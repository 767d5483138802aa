import type { Caller } from "../../../access/operations/caller.js";
import { type DispatchReading, findDispatch } from "../../../dispatch/operations/dispatch-service.js";
import { isRefusal } from "../../../platform/refusal.js";
import type { SiteStore } from "../../../portfolio/operations/portfolio-stores.js";
import { sitesVisibleTo, type Visible, visibleSum } from "../../../portfolio/operations/visible-sites.js";
import { type LookResult, lookedAt } from "../live/preparing.js";
import type { CurveReport, PerformanceView, RequestedVersion } from "./view-performance.js";

export interface AccountCurvePorts extends DispatchReading {
  readonly performance: Pick<PerformanceView, "curveOfDispatch">;
  readonly stores: { readonly sites: Pick<SiteStore, "displayed"> };
}

export interface AccountCurve extends CurveReport {
  /** Sites of the account in the dispatch that are not visible, and in no sum. */
  readonly hiddenSites: number;
}

/** The totals over time of an account's visible sites in a dispatch. */
export const accountCurve = async (
  ports: AccountCurvePorts,
  caller: Caller,
  { id, version }: { readonly id: string; readonly version: RequestedVersion },
): Promise<LookResult<Visible<AccountCurve>>> => {
  const dispatch = await findDispatch(ports, caller, id);
  if (isRefusal(dispatch)) return dispatch;
  const { accountId } = caller;
  const visible = await sitesVisibleTo(ports.stores.sites, caller);
  return visibleSum(visible, async (isCounted) => {
    const curve = await ports.performance.curveOfDispatch(id, { version, filter: { accountId }, isCounted });
    return lookedAt(curve, (found) => ({ ...found, hiddenSites: dispatch.sites.length - found.countedSites }));
  });
};
