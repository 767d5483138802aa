import { INTERVAL_STEP_SECONDS, MAX_INTERVAL_SECONDS } from "@curtail/contract/constants";

/** Length of the equal parts in which an interval is uploaded: the longest that the interface takes; else its own. */
export const partSecondsOf = (seconds: number): number => {
  for (let part = MAX_INTERVAL_SECONDS; part >= INTERVAL_STEP_SECONDS; part -= INTERVAL_STEP_SECONDS)
    if (seconds % part === 0) return part;
  return seconds;
};
