/** Where the measuring of a dispatch stands. */
export type PerformanceState = "upcoming" | "in_progress" | "ended" | "final" | "cancelled";

interface MeasuredTimes {
  readonly startMs: number;
  readonly endMs: number | null;
  readonly cancelledMs: number | null;
}

/** Cancelled before it started: there is nothing to measure. */
const neverRan = ({ startMs, cancelledMs }: MeasuredTimes): boolean => cancelledMs !== null && cancelledMs <= startMs;

export const performanceState = (times: MeasuredTimes, nowMs: number, isFinal: boolean): PerformanceState => {
  if (neverRan(times)) return "cancelled";
  if (isFinal) return "final";
  if (nowMs < times.startMs) return "upcoming";
  const isOver = times.cancelledMs !== null || (times.endMs !== null && nowMs >= times.endMs);
  return isOver ? "ended" : "in_progress";
};
