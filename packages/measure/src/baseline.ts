import type { Baseline, BaselineRequest } from "./baseline-result.js";
import { type DaysBaseline, daysBaseline } from "./days-baseline.js";
import { gapDaysOf, keepingGaps } from "./gap-days.js";
import { CELL_SECONDS } from "./grid.js";
import { cellsTouching, flatSeries } from "./load-series.js";
import { localTime } from "./local-time.js";
import { meterBeforeBaseline } from "./meter-before.js";
import type { BaselineMethod, DaysMethod, FirmServiceLevelMethod } from "./method.js";

/**
 * The baseline of one site for one dispatch, with everything needed to compute it again. Compute it once per dispatch
 * and site, and again while it is provisional; measuring the load against it is cheap (`measureSite`).
 *
 * Throws a RangeError for an unknown time zone, for a holiday or event day that is not `YYYY-MM-DD`, and for load on a
 * grid that does not divide the method's. The method is trusted: check unknown data with `methodFaults` first.
 */
export const baselineOf = (method: BaselineMethod, request: BaselineRequest): Baseline => {
  switch (method.kind) {
    case "days":
      return daysOrFallback(method, request);
    case "meter_before":
      return meterBeforeBaseline(method, request);
    case "flat":
      return agreed(method.kw, { kind: "flat", kw: method.kw }, request);
    case "firm_service_level":
      return levelBaseline(method, request);
  }
};

const daysOrFallback = (method: DaysMethod, request: BaselineRequest): Baseline => {
  const byDays = withGapDays(method, request, daysBaseline(method, request));
  if (byDays.state === "found" || method.fallback === null) return byDays;
  const fallback = meterBeforeBaseline(method.fallback, request);
  const instead = { insteadOf: byDays.explanation, because: byDays.reason };
  return { ...fallback, explanation: { ...fallback.explanation, ...instead } };
};

const withGapDays = (method: DaysMethod, request: BaselineRequest, found: DaysBaseline): DaysBaseline => {
  if (request.rulesVersion === 1) return found;
  const time = localTime(request.timezone);
  const withThem = () => daysBaseline(keepingGaps(method), request);
  const gapDays = gapDaysOf(found, request, { time, withThem });
  return gapDays === null ? found : { ...found, explanation: { ...found.explanation, gapDays } };
};

const levelBaseline = (method: FirmServiceLevelMethod, request: BaselineRequest): Baseline => {
  const { level_kw: levelKw, reference_kw: referenceKw } = method;
  const explanation = { kind: "firm_service_level", levelKw, referenceKw } as const;
  if (referenceKw !== null) return agreed(referenceKw, explanation, request);
  const reason = "a firm service level without a reference has no baseline: measure compliance with the level instead";
  return { state: "none", reason, provisional: false, explanation };
};

const agreed = (kw: number, explanation: Baseline["explanation"], { curve: period }: BaselineRequest): Baseline => {
  const curve = flatSeries(kw, cellsTouching(period, CELL_SECONDS), CELL_SECONDS);
  return { state: "found", curve, unadjusted: curve, provisional: false, explanation };
};
