import type { Caller } from "../../access/operations/caller.js";
import { type DispatchReading, findDispatch } from "../../dispatch/operations/dispatch-service.js";
import { isRefusal, type Result } from "../../platform/refusal.js";
import type { SiteStore } from "../../portfolio/operations/portfolio-stores.js";
import { sitesVisibleTo, type Visible, visibleSitesOf } from "../../portfolio/operations/visible-sites.js";
import type { DispatchTable } from "./dispatch-table.js";
import type { DispatchReport, SiteReport } from "./measure-dispatch.js";
import { type LookResult, lookedAt } from "./preparing.js";
import { type ComparedVersions, type ResultDifference, visibleDifference } from "./result-difference.js";
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
  return {
    async dispatchPerformance(caller, id, version) {
      const seen = await findDispatch(ports, caller, id);
      if (isRefusal(seen)) return seen;
      const report = await performance.ofDispatch(id, { accountId: caller.accountId }, version);
      const visible = await sitesVisibleTo(sites, caller);
      return lookedAt(report, (found) => visibleReport(found, visible));
    },
    async sitePerformance(caller, id, siteId, version) {
      const seen = await findDispatch(ports, caller, id);
      if (isRefusal(seen)) return seen;
      const report = await performance.ofSite(id, { accountId: caller.accountId, siteId }, version);
      const visible = await sitesVisibleTo(sites, caller);
      return lookedAt(report, (found) => visibleSiteReport(found, visible));
    },
    async performanceDifference(caller, id, compared) {
      const seen = await findDispatch(ports, caller, id);
      if (isRefusal(seen)) return seen;
      const difference = await performance.differenceOf(id, { accountId: caller.accountId }, compared);
      if (isRefusal(difference)) return difference;
      return visibleDifference(difference, await sitesVisibleTo(sites, caller));
    },
    async dispatchTable(caller, id, version) {
      const seen = await findDispatch(ports, caller, id);
      if (isRefusal(seen)) return seen;
      const table = await performance.tableOfDispatch(id, { accountId: caller.accountId }, version);
      const visible = await sitesVisibleTo(sites, caller);
      return lookedAt(table, (found) => visibleSitesOf(found, visible));
    },
  };
};
