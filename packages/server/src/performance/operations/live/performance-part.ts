import { type DispatchReport, reportOf } from "../measure-dispatch.js";
import { type PortfolioCell, portfolioCurve } from "../portfolio-curve.js";
import type { SiteNumbers } from "../site-summary.js";
import type { PartlyMeasured } from "./dispatch-tracker.js";

/** The sites of a dispatch that are measured while the others are read, with totals and a curve of their own. */
export interface PerformancePart extends DispatchReport<SiteNumbers> {
  readonly curve: readonly PortfolioCell[];
}

export const partOf = ({ dispatch, results, asOfMs }: PartlyMeasured): PerformancePart => {
  const report = reportOf(dispatch, results, { asOfMs, version: null, versions: [] });
  return { ...report, curve: portfolioCurve(report, report.sites) };
};
