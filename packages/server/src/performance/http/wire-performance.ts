import type {
  DispatchPerformance,
  operator,
  PerformanceLimits,
  PerformancePreparing,
  PerformanceTotals,
  participantConsole,
  SitePerformance,
  SitePerformanceDetail,
} from "@curtail/contract";
import { DEFAULT_STATUS_LIMITS } from "@curtail/contract/constants";
import { rounded } from "../../platform/rounded.js";
import { formatSecond, formatTimestamp } from "../../platform/timestamp.js";
import type { StatusSetting } from "../../portfolio/domain/measurement.js";
import type { Visible } from "../../portfolio/operations/visible-sites.js";
import { countingOf, qualityWords, type ResultQuality, type SiteDecision } from "../domain/result-quality.js";
import { type FinalVersion, type ResultReader, standingOf } from "../domain/version.js";
import { resultSteps } from "../operations/final/result-steps.js";
import type { Preparing } from "../operations/live/preparing.js";
import type { DispatchReport, SiteReport } from "../operations/measure-dispatch.js";
import type { AccountCurve } from "../operations/report/account-curve.js";
import { type CurveCell, curveOf } from "../operations/report/site-curve.js";
import type { CurveReport, SitesAtReport } from "../operations/report/view-performance.js";
import type { SiteMeters, SiteSummary } from "../operations/site-summary.js";
import { explanationToWire } from "./wire-baseline-explanation.js";

/** What a participant sees of its own sites. */
export const performanceToWire = (report: Visible<DispatchReport>): DispatchPerformance => ({
  ...measuredToWire(report),
  totals: totalsToWire(report.totals),
  sites: report.sites.map((site) => siteToWire(site)),
});

export const operatorPerformanceToWire = (report: Visible<DispatchReport>): operator.OperatorDispatchPerformance => ({
  ...measuredToWire(report, "operator"),
  totals: totalsToWire(report.totals),
  sites: report.sites.map(operatorSiteToWire),
});

/** The totals of all sites over time. */
export const curveReportToWire = (report: Visible<CurveReport>): operator.PortfolioCurve => ({
  ...measuredToWire(report, "operator"),
  curve: report.curve.map(sumsToWire),
});

/** What each site delivered at a moment. */
export const sitesAtToWire = (report: Visible<SitesAtReport>): operator.SitesAt => ({
  ...measuredToWire(report, "operator"),
  sites: report.sites.map(({ siteId, endMs, loadKw, baselineKw }) => ({
    site_id: siteId,
    timestamp: endMs === null ? null : formatTimestamp(endMs),
    load_kw: rounded(loadKw),
    baseline_kw: rounded(baselineKw),
    reduction_kw: loadKw === null || baselineKw === null ? null : rounded(baselineKw - loadKw),
  })),
});

/** The same of an account's visible sites. */
export const accountCurveToWire = (report: Visible<AccountCurve>): participantConsole.AccountCurve => ({
  ...measuredToWire(report),
  sites: report.countedSites,
  hidden_sites: report.hiddenSites,
  curve: report.curve.map(sumsToWire),
});

/** The sums of sites in an interval. */
export const sumsToWire = (cell: CurveReport["curve"][number]) => ({
  timestamp: formatTimestamp(cell.endMs),
  sites: cell.sites,
  commitment_kw: rounded(cell.commitmentKw),
  baseline_kw: rounded(cell.baselineKw),
  load_kw: rounded(cell.loadKw),
  reduction_kw: rounded(cell.reductionKw),
  target_kw: rounded(cell.targetKw),
});

/** A retry also waits for the reading, so a short delay is enough. */
export const ASK_AGAIN_SECONDS = 5;

export const preparingToWire = ({ dispatchId, progress }: Preparing): PerformancePreparing => ({
  dispatch_id: dispatchId,
  state: "preparing",
  message: `the readings of this dispatch are being loaded, ${Math.floor(progress * 100)} % of its sites so far; try again in ${ASK_AGAIN_SECONDS} seconds`,
  progress,
});

/** A site with its curves and their explanation. */
export const sitePerformanceToWire = <S>(
  report: Visible<SiteReport>,
  toWire: (site: SiteSummary) => S,
  reader: ResultReader = "participant",
) => ({
  ...measuredToWire(report, reader),
  site: toWire(report.site),
  meters: report.site.meters === undefined ? null : metersToWire(report.site.meters),
  preset: report.site.preset ?? null,
  method: { ...report.site.method },
  steps: [...resultSteps(report.site)],
  explanation: explanationToWire(report.site.explanation),
  curve: curveOf(report).map(cellToWire),
});

const metersToWire = ({ summed, leftOut }: SiteMeters): SitePerformanceDetail["meters"] => ({
  summed: summed.map(({ id, name }) => ({ meter_id: id, name })),
  left_out: leftOut.map(({ id, name, reason }) => ({ meter_id: id, name, reason })),
});

export const operatorSiteToWire = (site: SiteSummary): operator.OperatorSitePerformance => ({
  ...siteToWire(site, "operator"),
  account_id: site.accountId,
});

export const siteToWire = (site: SiteSummary, reader: ResultReader = "participant"): SitePerformance => {
  const { performance, baseline, rebound, compliance } = site;
  const { toDate, latest } = performance;
  return {
    site_id: site.siteId,
    name: site.name,
    commitment_kw: site.commitmentKw,
    drop_by_kw: site.commitmentKw,
    status: { ...site.status },
    baseline: baseline.state === "none" ? "none" : baseline.provisional ? "provisional" : "found",
    baseline_reason: baseline.reason,
    latest: latest === null ? null : latestToWire(latest),
    recent: performance.recent === undefined ? null : recentToWire(performance.recent),
    cells_expected: toDate.cellsExpected,
    cells_present: toDate.cellsPresent,
    coverage: rounded(toDate.coverage),
    ...deliveredToWire(toDate),
    share_at_commitment: rounded(toDate.shareAtCommitment),
    time_to_full_seconds: performance.secondsToFull,
    time_to_full_held_seconds: performance.secondsToFullHeld,
    ramp_kw_per_minute: rounded(performance.rampKwPerMinute),
    rebound: rebound === null ? null : reboundToWire(rebound),
    compliance: compliance === null ? null : complianceToWire(compliance),
    quality: site.quality === undefined ? null : qualityToWire(site.quality, reader),
  };
};

type Delivered = Pick<
  SiteSummary["performance"]["toDate"],
  "meanReductionKw" | "performance" | "deliveredKwh" | "deliveredFlooredKwh" | "deliveredCappedKwh" | "committedKwh"
>;

/** What a site delivered until now, or in all; undefined: there is no result. */
export const deliveredToWire = (delivered: Delivered | undefined) => ({
  mean_reduction_kw: rounded(delivered?.meanReductionKw ?? null),
  performance: rounded(delivered?.performance ?? null),
  delivered_energy_kwh: rounded(delivered?.deliveredKwh ?? null),
  delivered_energy_floored_kwh: rounded(delivered?.deliveredFlooredKwh ?? null),
  delivered_energy_capped_kwh: rounded(delivered?.deliveredCappedKwh ?? null),
  committed_energy_kwh: rounded(delivered?.committedKwh ?? null),
});

const qualityToWire = (quality: ResultQuality, reader: ResultReader): NonNullable<SitePerformance["quality"]> => ({
  counts: countingOf(quality),
  reason: quality.decision === null ? quality.reason : "decided",
  gap_days: [...quality.gapDays],
  gap_gain_kw: rounded(quality.gapGainKw),
  decision: quality.decision === null ? null : decisionToWire(quality.decision, reader),
  words: [...qualityWords(quality)],
});

const decisionToWire = ({ counts, reason, actor, atMs }: SiteDecision, reader: ResultReader) => ({
  counts,
  reason,
  by: reader === "participant" ? "operator" : actor,
  at: formatSecond(atMs),
});

const COLUMNS = ["timestamp", "baseline_kw", "unadjusted_kw", "load_kw", "reduction_kw", "target_kw"] as const;

/** The curve as CSV, one line per cell; unknown values are empty. */
export const curveToCsv = (report: Visible<SiteReport>): string => {
  const lines = curveOf(report)
    .map(cellToWire)
    .map((cell) => COLUMNS.map((column) => cell[column] ?? "").join(","));
  return `${[COLUMNS.join(","), ...lines].join("\r\n")}\r\n`;
};

export const versionsToWire = (versions: readonly FinalVersion[], reader: ResultReader) =>
  versions.map((each) => versionToWire(each, versions, reader));

export const versionToWire = (each: FinalVersion, versions: readonly FinalVersion[], reader: ResultReader) => ({
  version: each.version,
  at: formatSecond(each.at),
  reason: each.reason,
  standing: standingOf(each, versions),
  by: each.actor !== null && reader === "participant" ? "operator" : each.actor,
  note: each.note,
  rules_version: each.rulesVersion,
});

const measuredToWire = (report: Omit<DispatchReport, "totals" | "sites">, reader: ResultReader = "participant") => ({
  dispatch_id: report.dispatch.id,
  state: report.state,
  as_of: formatSecond(report.asOfMs),
  version: report.version,
  versions: versionsToWire(report.versions, reader),
  status_limits: limitsToWire(report.dispatch.statusLimits),
  start_time: formatSecond(report.dispatch.startMs),
  end_time: report.dispatch.endMs === null ? null : formatSecond(report.dispatch.endMs),
  measured_until: formatSecond(report.measuredUntilMs),
});

type Limits = Pick<StatusSetting, "amberFrom" | "greenFrom" | "greenTo">;

/** The limits of the statuses of a dispatch; null: the default ones. */
export const limitsToWire = (limits: Limits | null): PerformanceLimits => {
  const { amber_from, green_from, green_to } = DEFAULT_STATUS_LIMITS;
  if (limits === null) return { amber_from, green_from, green_to };
  return { amber_from: limits.amberFrom, green_from: limits.greenFrom, green_to: limits.greenTo };
};

export const totalsToWire = (totals: DispatchReport["totals"]): PerformanceTotals => ({
  sites: totals.sites,
  commitment_kw: rounded(totals.commitmentKw),
  now: sumToWire(totals.now),
  to_date: sumToWire(totals.toDate),
  coverage: rounded(totals.coverage),
  delivered_energy_kwh: rounded(totals.deliveredKwh),
  delivered_energy_floored_kwh: rounded(totals.deliveredFlooredKwh),
  delivered_energy_capped_kwh: rounded(totals.deliveredCappedKwh),
  committed_energy_kwh: rounded(totals.committedKwh),
});

const sumToWire = (sum: DispatchReport["totals"]["now"]) => ({
  sites: sum.sites,
  reduction_kw: rounded(sum.reductionKw),
  commitment_kw: rounded(sum.commitmentKw),
  performance: rounded(sum.performance),
});

const latestToWire = (latest: NonNullable<SiteSummary["performance"]["latest"]>) => ({
  timestamp: formatTimestamp(latest.endMs),
  load_kw: rounded(latest.loadKw),
  baseline_kw: rounded(latest.baselineKw),
  target_kw: rounded(latest.targetKw),
  reduction_kw: rounded(latest.reductionKw),
  performance: rounded(latest.performance),
});

const recentToWire = (recent: NonNullable<SiteSummary["performance"]["recent"]>) => ({
  cells_expected: recent.cellsExpected,
  cells_present: recent.cellsPresent,
  coverage: rounded(recent.coverage),
  mean_reduction_kw: rounded(recent.meanReductionKw),
  performance: rounded(recent.performance),
});

const reboundToWire = (rebound: NonNullable<SiteSummary["rebound"]>) => ({
  cells_expected: rebound.cellsExpected,
  cells_present: rebound.cellsPresent,
  peak_kw: rounded(rebound.peakKw),
  peak_baseline_kw: rounded(rebound.peakBaselineKw),
  energy_kwh: rounded(rebound.energyKwh),
  time_to_back_seconds: rebound.secondsToBack,
});

const complianceToWire = (compliance: NonNullable<SiteSummary["compliance"]>) => ({
  cells_present: compliance.intervalsPresent,
  cells_complying: compliance.intervalsComplying,
  excess_kwh: rounded(compliance.excessKwh),
  time_to_compliance_seconds: compliance.secondsToCompliance,
});

const cellToWire = (cell: CurveCell) => ({
  timestamp: formatTimestamp(cell.endMs),
  baseline_kw: rounded(cell.baselineKw),
  unadjusted_kw: rounded(cell.unadjustedKw),
  load_kw: rounded(cell.loadKw),
  reduction_kw: rounded(cell.reductionKw),
  target_kw: rounded(cell.targetKw),
  quality: cell.quality,
});
