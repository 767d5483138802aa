import type { operator, PerformancePart } from "@curtail/contract";
import type { Visible, VisibleSites } from "../../portfolio/operations/visible-sites.js";
import type { PartlyMeasured } from "../operations/dispatch-tracker.js";
import { reportOf } from "../operations/measure-dispatch.js";
import type { PerformancePart as Part } from "../operations/performance-part.js";
import { visibleReport } from "../operations/visible-report.js";
import {
  operatorPerformanceToWire,
  operatorSiteToWire,
  performanceToWire,
  siteToWire,
  sumsToWire,
} from "./wire-performance.js";

/** What is measured of a dispatch while it is read, with the sites after the first so many. */
export const operatorPartToWire = (part: Visible<Part>, after: number): operator.OperatorPerformancePart => ({
  measured_sites: part.sites.length,
  sites: part.dispatch.sites.length,
  performance: { ...operatorPerformanceToWire(part), sites: part.sites.slice(after).map(operatorSiteToWire) },
  curve: part.curve.map(sumsToWire),
});

/** The same of a participant's visible sites; null if none of them is among those. */
export const ownPartToWire = (
  { dispatch, results, asOfMs }: PartlyMeasured,
  after: number,
  shown: VisibleSites,
): PerformancePart | null => {
  const asOf = { asOfMs, version: null, versions: [] };
  const news = visibleReport(reportOf(dispatch, results.slice(after), asOf), shown).sites;
  if (news.length === 0) return null;
  const report = visibleReport(reportOf(dispatch, results, asOf), shown);
  return {
    measured_sites: report.sites.length,
    sites: dispatch.sites.filter(({ id, accountId }) => shown.has({ siteId: id, accountId })).length,
    performance: { ...performanceToWire(report), sites: news.map((site) => siteToWire(site)) },
  };
};
