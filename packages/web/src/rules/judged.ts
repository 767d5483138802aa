import type { DispatchPerformance } from "@curtail/contract";

type Result = Pick<DispatchPerformance, "state" | "version" | "versions" | "start_time" | "measured_until">;

/** Nobody is judged by a dispatch that was cancelled or voided: no status, no share of what was committed. */
export const isJudged = (state: DispatchPerformance["state"]): boolean => state !== "cancelled";

/** Why a result shows nothing; null where it shows something. */
export const whyNothing = ({ state, version, versions, start_time, measured_until }: Result): string | null => {
  const newest = versions.at(-1);
  if (newest?.reason === "withdrawn" && newest.version === version)
    return "The dispatch is void: its results are withdrawn.";
  if (!isJudged(state) && Date.parse(measured_until) <= Date.parse(start_time))
    return "The dispatch was cancelled before it started: there is nothing to measure.";
  return null;
};

/** Until when a dispatch called its sites: its end, or its cancellation. */
export const calledUntil = ({
  state,
  end_time,
  measured_until,
}: Pick<DispatchPerformance, "state" | "end_time" | "measured_until">): string | null =>
  isJudged(state) ? end_time : measured_until;
