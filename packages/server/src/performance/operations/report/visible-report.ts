import type { Result } from "../../../platform/refusal.js";
import {
  type Visible,
  type VisibleSites,
  visibleDataOf,
  visiblePart,
} from "../../../portfolio/operations/visible-sites.js";
import { type DispatchReport, reportOf, type SiteReport } from "../measure-dispatch.js";
import type { SiteSummary } from "../site-summary.js";

/** A report of the visible sites, with their own totals. */
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
