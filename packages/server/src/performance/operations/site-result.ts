import {
  type Baseline,
  type BaselineMethod,
  CELL_SECONDS,
  cellsTouching,
  complianceOf,
  flatSeries,
  type LoadSeries,
  limitsFor,
  measuredEndMs,
  measuredPeriod,
  measureSite,
  type Period,
  reboundOf,
  STATUS_LIMITS,
  statusOf,
} from "@curtail/measure";
import type { DispatchToMeasure, SiteToMeasure } from "./measurement-ports.js";
import type { SiteResult } from "./site-summary.js";

export interface Measured {
  readonly method: BaselineMethod;
  readonly baseline: Baseline;
  readonly load: LoadSeries;
  /** Period of the curves. */
  readonly curve: Period;
  readonly readingSeconds: number;
}

export const resultOf = (
  dispatch: DispatchToMeasure,
  site: SiteToMeasure,
  { method, baseline, load, curve, readingSeconds }: Measured,
  nowMs: number,
): SiteResult => {
  const line = baseline.state === "found" ? baseline.curve : noBaseline(curve);
  const { commitmentKw } = site;
  const performance = measureSite({ dispatch, baseline: line, commitmentKw, readingSeconds }, load, nowMs);
  const endMs = measuredEndMs(dispatch);
  return {
    siteId: site.id,
    accountId: site.accountId,
    name: site.name,
    commitmentKw,
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
    readingSeconds,
    status: statusOf(performance, nowMs, limitsFor(dispatch.statusLimits ?? STATUS_LIMITS, readingSeconds)),
    rebound: endMs === null || nowMs <= endMs ? null : reboundOf({ load, baseline: line }, endMs),
    compliance:
      method.kind === "firm_service_level"
        ? complianceOf(load, method.level_kw, measuredPeriod(dispatch, nowMs))
        : null,
  };
};

const noBaseline = (curve: Period): LoadSeries =>
  flatSeries(Number.NaN, cellsTouching(curve, CELL_SECONDS), CELL_SECONDS);
