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
import { presetOf } from "../../portfolio/operations/baseline-method.js";
import type { DispatchToMeasure, SiteToMeasure } from "./measurement-ports.js";
import { qualityOf } from "./site-quality.js";
import type { SiteMeters, SiteResult } from "./site-summary.js";

export interface Measured {
  readonly method: BaselineMethod;
  readonly baseline: Baseline;
  readonly load: LoadSeries;
  /** Period of the curves. */
  readonly curve: Period;
  readonly readingSeconds: number;
  readonly meters: SiteMeters;
}

export const resultOf = (
  dispatch: DispatchToMeasure,
  site: SiteToMeasure,
  { method, baseline, load, curve, readingSeconds, meters }: Measured,
  nowMs: number,
): SiteResult => {
  const line = baseline.state === "found" ? baseline.curve : noBaseline(curve);
  const { commitmentKw } = site;
  const levelKw = method.kind === "firm_service_level" ? method.level_kw : null;
  const performance = measureSite({ dispatch, baseline: line, commitmentKw, levelKw, readingSeconds }, load, nowMs);
  const endMs = measuredEndMs(dispatch);
  const quality = qualityOf(dispatch, site, { baseline, load, needsNoBaseline: levelKw !== null }, nowMs);
  return {
    siteId: site.id,
    accountId: site.accountId,
    name: site.name,
    commitmentKw,
    meters,
    preset: presetOf(site.baseline ?? dispatch.baseline),
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
    ...(quality === null ? {} : { quality }),
    compliance: levelKw === null ? null : complianceOf(load, levelKw, measuredPeriod(dispatch, nowMs)),
  };
};

const noBaseline = (curve: Period): LoadSeries =>
  flatSeries(Number.NaN, cellsTouching(curve, CELL_SECONDS), CELL_SECONDS);
