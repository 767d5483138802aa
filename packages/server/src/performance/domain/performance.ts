/** Progress of measuring a dispatch. */
export type PerformanceState = "upcoming" | "in_progress" | "ended" | "final" | "cancelled";

interface MeasuredTimes {
  readonly startMs: number;
  readonly endMs: number | null;
  readonly cancelledMs: number | null;
}

export const performanceState = (
  { startMs, endMs, cancelledMs }: MeasuredTimes,
  nowMs: number,
  isFinal: boolean,
): PerformanceState => {
  if (cancelledMs !== null) return "cancelled";
  if (isFinal) return "final";
  if (nowMs < startMs) return "upcoming";
  return endMs !== null && nowMs >= endMs ? "ended" : "in_progress";
};

/**
 * The kind of a dispatch's result. `unjudged`: it was cancelled, so nobody failed to deliver, but what was delivered
 * until then is shown. `withdrawn`: it was voided after its end (G52); only earlier versions have results.
 */
export type Judgement = "judged" | "unjudged" | "withdrawn";

export const judgementOf = (
  { cancelledMs, isVoid }: { readonly cancelledMs: number | null; readonly isVoid: boolean },
  isNewest: boolean,
): Judgement => {
  if (isVoid) return isNewest ? "withdrawn" : "judged";
  return cancelledMs === null ? "judged" : "unjudged";
};
