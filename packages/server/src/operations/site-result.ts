import {
  type Baseline,
  type BaselineMethod,
  CELL_SECONDS,
  type Compliance,
  cellsTouching,
  complianceOf,
  type Explanation,
  flatSeries,
  type LoadSeries,
  measuredEndMs,
  measuredPeriod,
  measureSite,
  type Period,
  type Rebound,
  reboundOf,
  type SitePerformance,
  STATUS_LIMITS,
  type Status,
  statusOf,
} from "@curtail/measure";
import type { DispatchToMeasure, SiteToMeasure } from "./measurement-ports.js";

/** What a site delivered. */
export interface SiteSummary {
  readonly siteId: string;
  readonly accountId: string;
  readonly name: string;
  readonly commitmentKw: number | null;
  readonly baseline: {
    readonly state: Baseline["state"];
    /** Why there is none; null where there is one. */
    readonly reason: string | null;
    readonly provisional: boolean;
  };
  readonly performance: SitePerformance;
  readonly status: Status;
  /** null until the dispatch has ended. */
  readonly rebound: Rebound | null;
  /** Of a firm service level; null for every other method. */
  readonly compliance: Compliance | null;
}

/** All it takes to compute that again. The curves reach from an hour before the start to an hour after the end. */
export interface SiteDetail {
  readonly method: BaselineMethod;
  readonly explanation: Explanation;
  /** On 30 s cells. */
  readonly load: LoadSeries;
  /** The baseline on its own grid, and before its adjustment; null where there is none. */
  readonly curve: LoadSeries | null;
  readonly unadjusted: LoadSeries | null;
}

export type SiteResult = SiteSummary & SiteDetail;

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
