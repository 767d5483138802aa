import type { Result } from "../domain/refusal.js";
import { type DispatchReport, reportOf, type SiteReport } from "./measure-dispatch.js";
import type { SiteSummary } from "./site-summary.js";
import { type Visible, type VisibleSites, visibleDataOf, visiblePart } from "./visible-sites.js";

/** A report of the sites that are visible, with their own sums. */
export const visibleReport = <S extends SiteSummary>(
  report: DispatchReport<S>,
  sites: VisibleSites,
): Visible<DispatchReport<S>> => {
  const keep = (isSeen: readonly boolean[]) =>
    reportOf(
      report.dispatch,
      report.sites.filter((_site, index) => isSeen[index]),
      report,
    );
  return visiblePart({ data: report, of: report.sites, keep }, sites);
};

export const visibleSiteReport = (report: SiteReport, sites: VisibleSites): Result<Visible<SiteReport>> =>
  visibleDataOf(report.site, report, sites);
