import type { DispatchPerformance } from "@curtail/contract";
import { say } from "@curtail/words/page";

type Result = Pick<DispatchPerformance, "state" | "version" | "versions" | "start_time" | "measured_until">;

/** A cancelled or voided dispatch is not judged: no status, no performance ratio. */
export const isJudged = (state: DispatchPerformance["state"]): boolean => state !== "cancelled";

/** Why there are no results; null if there are any. */
export const whyNothing = ({ state, version, versions, start_time, measured_until }: Result): string | null => {
  const newest = versions.at(-1);
  if (newest?.reason === "withdrawn" && newest.version === version)
    return say("The dispatch was voided and its results withdrawn.");
  if (!isJudged(state) && Date.parse(measured_until) <= Date.parse(start_time))
    return say("The dispatch was cancelled before it started, so nothing was measured.");
  return null;
};

/** End of the dispatched period: the end of the dispatch, or its cancellation. */
export const dispatchedUntil = ({
  state,
  end_time,
  measured_until,
}: Pick<DispatchPerformance, "state" | "end_time" | "measured_until">): string | null =>
  isJudged(state) ? end_time : measured_until;

interface Cell {
  /** End of the interval. */
  readonly timestamp: string;
}

/** Whether an interval is within the dispatch. */
export const isDispatchedIn =
  (start: string, end: string | null) =>
  ({ timestamp }: Cell): boolean =>
    Date.parse(timestamp) > Date.parse(start) && (end === null || Date.parse(timestamp) <= Date.parse(end));

const MARGIN_MS = 300_000;

/** The intervals of a dispatch, and of five minutes before and after it. */
export const aroundDispatch = <C extends Cell>(cells: readonly C[], start: string, end: string | null): C[] => {
  const from = Date.parse(start) - MARGIN_MS;
  const until = (end === null ? Number.POSITIVE_INFINITY : Date.parse(end)) + MARGIN_MS;
  return cells.filter(({ timestamp }) => Date.parse(timestamp) >= from && Date.parse(timestamp) <= until);
};
