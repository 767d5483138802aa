import { isRefusal, notFound, type Result } from "../domain/refusal.js";
import type { LivePerformance } from "./live-performance.js";
import { type DispatchReport, filtered, type SiteReport, siteReport } from "./measure-dispatch.js";
import type { SiteFilter } from "./measurement-ports.js";

/** What was delivered, as those who look at it get it. */
export interface PerformanceView {
  ofDispatch(id: string, filter: SiteFilter): Promise<Result<DispatchReport>>;
  ofSite(id: string, filter: SiteFilter & { readonly siteId: string }): Promise<Result<SiteReport>>;
}

export const performanceView = (live: LivePerformance): PerformanceView => {
  const ofDispatch: PerformanceView["ofDispatch"] = async (id, filter) => {
    const tracker = await live.current(id);
    return tracker === null ? notFound("dispatch") : filtered(tracker.report(), filter);
  };
  return {
    ofDispatch,
    async ofSite(id, filter) {
      const report = await ofDispatch(id, filter);
      return isRefusal(report) ? report : siteReport(report);
    },
  };
};
