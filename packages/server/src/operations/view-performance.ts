import type { Result } from "../domain/refusal.js";
import { type DispatchReport, measureDispatch, measureSite, type SiteReport } from "./measure-dispatch.js";
import type { MeasurementPorts, SiteFilter } from "./measurement-ports.js";

/** What was delivered, as those who look at it get it. */
export interface PerformanceView {
  ofDispatch(id: string, filter: SiteFilter): Promise<Result<DispatchReport>>;
  ofSite(id: string, filter: SiteFilter & { readonly siteId: string }): Promise<Result<SiteReport>>;
}

export const performanceView = (ports: MeasurementPorts): PerformanceView => ({
  ofDispatch: (id, filter) => measureDispatch(ports, id, filter),
  ofSite: (id, filter) => measureSite(ports, id, filter),
});
