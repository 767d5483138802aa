import type { Caller } from "../../../access/operations/caller.js";
import { type DispatchReading, findDispatch } from "../../../dispatch/operations/dispatch-service.js";
import { isRefusal, type Result } from "../../../platform/refusal.js";
import type { SiteStore } from "../../../portfolio/operations/portfolio-stores.js";
import {
  sitesVisibleTo,
  type Visible,
  type VisibleSites,
  visibleSitesOf,
} from "../../../portfolio/operations/visible-sites.js";
import type { DispatchTable } from "../dispatch-table.js";
import { type ComparedVersions, type ResultDifference, visibleDifference } from "../final/result-difference.js";
import { type LookResult, lookedAt } from "../live/preparing.js";
import type { DispatchReport, SiteReport } from "../measure-dispatch.js";
import type { PerformanceView, RequestedVersion } from "./view-performance.js";
import { visibleReport, visibleSiteReport } from "./visible-report.js";

/** The performance of the caller's own sites. */
export interface PerformanceService {
  dispatchPerformance(
    caller: Caller,
    id: string,
    version: RequestedVersion,
  ): Promise<LookResult<Visible<DispatchReport>>>;
  sitePerformance(
    caller: Caller,
    id: string,
    siteId: string,
    version: RequestedVersion,
  ): Promise<LookResult<Visible<SiteReport>>>;
  performanceDifference(
    caller: Caller,
    id: string,
    compared: ComparedVersions,
  ): Promise<Result<Visible<ResultDifference>>>;
  dispatchTable(caller: Caller, id: string, version: RequestedVersion): Promise<LookResult<Visible<DispatchTable>>>;
}

export interface PerformanceServicePorts extends DispatchReading {
  readonly performance: PerformanceView;
  readonly sites: Pick<SiteStore, "displayed">;
}

export const performanceService = (ports: PerformanceServicePorts): PerformanceService => {
  const { performance, sites } = ports;
  /** What `look` finds of a dispatch that is visible to the caller, as `show` makes it for the sites that the caller may see. */
  const ofVisible = async <T, V>(
    { caller, id }: { readonly caller: Caller; readonly id: string },
    look: (own: { readonly accountId: string }) => Promise<LookResult<T>>,
    show: (found: T, visible: VisibleSites) => Result<V>,
  ): Promise<LookResult<V>> => {
    const seen = await findDispatch(ports, caller, id);
    if (isRefusal(seen)) return seen;
    const looked = await look({ accountId: caller.accountId });
    const visible = await sitesVisibleTo(sites, caller);
    return lookedAt(looked, (found) => show(found, visible));
  };
  return {
    dispatchPerformance: (caller, id, version) =>
      ofVisible({ caller, id }, (own) => performance.ofDispatch(id, own, version), visibleReport),
    sitePerformance: (caller, id, siteId, version) =>
      ofVisible({ caller, id }, (own) => performance.ofSite(id, { ...own, siteId }, version), visibleSiteReport),
    async performanceDifference(caller, id, compared) {
      const seen = await findDispatch(ports, caller, id);
      if (isRefusal(seen)) return seen;
      const difference = await performance.differenceOf(id, { accountId: caller.accountId }, compared);
      if (isRefusal(difference)) return difference;
      return visibleDifference(difference, await sitesVisibleTo(sites, caller));
    },
    dispatchTable: (caller, id, version) =>
      ofVisible({ caller, id }, (own) => performance.tableOfDispatch(id, own, version), visibleSitesOf),
  };
};
