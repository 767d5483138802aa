import {
  type Baseline,
  CELL_SECONDS,
  cellsOf,
  type DaysExplanation,
  dateOf,
  type Explanation,
  type LoadSeries,
  localTime,
  measuredEndMs,
  measuredPeriod,
  valueAt,
} from "@curtail/measure";
import { type ResultQuality, ruledCounting } from "../domain/result-quality.js";
import type { DispatchToMeasure, SiteToMeasure } from "./measurement-ports.js";
import { isNewSite } from "./site-method.js";

interface MeasuredSite {
  readonly baseline: Baseline;
  readonly load: LoadSeries;
  readonly needsNoBaseline: boolean;
}

/** How far a result of a site can be relied on; null by the first rules. */
export const qualityOf = (
  dispatch: DispatchToMeasure,
  site: SiteToMeasure,
  measured: MeasuredSite,
  nowMs: number,
): ResultQuality | null => {
  if (dispatch.rulesVersion === 1) return null;
  const gapDays = daysExplanationOf(measured.baseline.explanation)?.gapDays;
  return {
    ...countingUntil(dispatch, site, measured, nowMs),
    gapDays: gapDays?.days ?? [],
    gapGainKw: gapDays?.gainKw ?? null,
    decision: site.decision,
  };
};

/** A dispatch that is not over, or was cancelled, is not judged by missing readings. */
const countingUntil = (
  dispatch: DispatchToMeasure,
  site: SiteToMeasure,
  { baseline, load, needsNoBaseline }: MeasuredSite,
  nowMs: number,
): Pick<ResultQuality, "counts" | "reason"> => {
  const endMs = measuredEndMs(dispatch);
  const isOver = endMs !== null && nowMs >= endMs;
  if (!isOver || dispatch.cancelledMs !== null) return { counts: "as_measured", reason: null };
  const { first, last } = cellsOf(measuredPeriod(dispatch, nowMs), CELL_SECONDS);
  let present = 0;
  for (let cell = first; cell <= last; cell++) if (!Number.isNaN(valueAt(load, cell))) present += 1;
  return ruledCounting({
    expected: last - first + 1,
    present,
    needsNoBaseline,
    hasBaseline: baseline.state === "found",
    lacksHistory: lacksHistory(baseline.explanation, site, dispatch),
    isTooNew: isNewSite(dispatch, site),
  });
};

export const daysExplanationOf = (explanation: Explanation): DaysExplanation | undefined => {
  if (explanation.kind === "days") return explanation;
  return explanation.kind === "meter_before" ? explanation.insteadOf : undefined;
};

/** Whether days since the enrolment were dropped for gaps, or readings before the dispatch are missing. */
const lacksHistory = (
  explanation: Explanation,
  { enrolledMs }: SiteToMeasure,
  { timezone }: DispatchToMeasure,
): boolean => {
  const days = daysExplanationOf(explanation);
  if (days === undefined) return explanation.kind === "meter_before";
  const enrolledDay = enrolledMs === null ? "" : dateOf(localTime(timezone).dayOf(Math.floor(enrolledMs / 1000)));
  return days.dropped.some(({ date, reason }) => reason === "incomplete" && date > enrolledDay);
};
