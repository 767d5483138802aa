import {
  type Baseline,
  type BaselineMethod,
  CELL_SECONDS,
  cellsTouching,
  complianceOf,
  flatSeries,
  type LoadSeries,
  measuredEndMs,
  measuredPeriod,
  measureSite,
  type Period,
  reboundOf,
  STATUS_LIMITS,
  statusOf,
} from "@curtail/measure";
import type { DispatchToMeasure, SiteToMeasure } from "./measurement-ports.js";
import type { SiteResult, SiteSummary } from "./site-summary.js";

export interface Measured {
  readonly method: BaselineMethod;
  readonly baseline: Baseline;
  readonly load: LoadSeries;
  /** Period of the curves. */
  readonly curve: Period;
}

export const resultOf = (
  dispatch: DispatchToMeasure,
  site: SiteToMeasure,
  { method, baseline, load, curve }: Measured,
  nowMs: number,
): SiteResult => {
  const line = baseline.state === "found" ? baseline.curve : noBaseline(curve);
  const performance = measureSite({ dispatch, baseline: line, commitmentKw: site.commitmentKw }, load, nowMs);
  const endMs = measuredEndMs(dispatch);
  return {
    siteId: site.id,
    accountId: site.accountId,
    name: site.name,
    commitmentKw: site.commitmentKw,
    method,
    explanation: baseline.explanation,
    load,
    curve: baseline.state === "found" ? baseline.curve : null,
    unadjusted: baseline.state === "found" ? baseline.unadjusted : null,
    baseline: {
      state: baseline.state,
      reason: baseline.state === "none" ? baseline.reason : null,
      provisional: baseline.provisional,
    },
    performance,
    status: statusOf(performance, nowMs, dispatch.statusLimits ?? STATUS_LIMITS),
    rebound: endMs === null || nowMs <= endMs ? null : reboundOf({ load, baseline: line }, endMs),
    compliance:
      method.kind === "firm_service_level"
        ? complianceOf(load, method.level_kw, measuredPeriod(dispatch, nowMs))
        : null,
  };
};

/** What a site reduces at a moment; null where it is not known, or its newest cell is too old to say. */
export const currentReductionKw = (
  { statusLimits }: DispatchToMeasure,
  { performance: { latest } }: SiteSummary,
  nowMs: number,
): number | null => {
  const { staleSeconds } = statusLimits ?? STATUS_LIMITS;
  return latest === null || latest.endMs < nowMs - staleSeconds * 1000 ? null : latest.reductionKw;
};

const noBaseline = (curve: Period): LoadSeries =>
  flatSeries(Number.NaN, cellsTouching(curve, CELL_SECONDS), CELL_SECONDS);
