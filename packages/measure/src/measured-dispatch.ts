import type { Period } from "./load-series.js";

/** Times of a dispatch in Unix milliseconds. `endMs` is null while it is open-ended. */
export interface DispatchTimes {
  readonly startMs: number;
  readonly endMs: number | null;
  /** When it was cancelled; null if it was not. */
  readonly cancelledMs: number | null;
}

/** End of the measured period: the dispatch's end or, if earlier, its cancellation; null while neither is known. */
export const measuredEndMs = ({ startMs, endMs, cancelledMs }: DispatchTimes): number | null => {
  const end = Math.min(endMs ?? Number.POSITIVE_INFINITY, cancelledMs ?? Number.POSITIVE_INFINITY);
  return end === Number.POSITIVE_INFINITY ? null : Math.max(startMs, end);
};

/** The period measured so far. `isFinal` once only late readings can change it; never with an open end. */
export const measuredPeriod = (dispatch: DispatchTimes, nowMs: number): Period & { readonly isFinal: boolean } => {
  const endMs = measuredEndMs(dispatch);
  const until = Math.max(dispatch.startMs, Math.min(endMs ?? nowMs, nowMs));
  return { startMs: dispatch.startMs, endMs: until, isFinal: endMs !== null && nowMs >= endMs };
};
