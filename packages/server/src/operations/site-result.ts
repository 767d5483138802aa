import {
  type Baseline,
  type BaselineMethod,
  CELL_SECONDS,
  type Compliance,
  cellsTouching,
  complianceOf,
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

/** What a site delivered, with all it takes to compute it again. */
export interface SiteResult {
  readonly siteId: string;
  readonly accountId: string;
  readonly name: string;
  readonly commitmentKw: number | null;
  readonly method: BaselineMethod;
  readonly baseline: Baseline;
  /** On 30 s cells, from an hour before the start to an hour after the end. */
  readonly load: LoadSeries;
  readonly performance: SitePerformance;
  readonly status: Status;
  /** null until the dispatch has ended. */
  readonly rebound: Rebound | null;
  /** Of a firm service level; null for every other method. */
  readonly compliance: Compliance | null;
}

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
    baseline,
    load,
    performance,
    status: statusOf(performance, nowMs, dispatch.statusLimits ?? STATUS_LIMITS),
    rebound: endMs === null || nowMs <= endMs ? null : reboundOf({ load, baseline: line }, endMs),
    compliance:
      method.kind === "firm_service_level"
        ? complianceOf(load, method.level_kw, measuredPeriod(dispatch, nowMs))
        : null,
  };
};

const noBaseline = (curve: Period): LoadSeries =>
  flatSeries(Number.NaN, cellsTouching(curve, CELL_SECONDS), CELL_SECONDS);
