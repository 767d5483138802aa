import type { DispatchPerformance } from "@curtail/contract";
import { say } from "@curtail/words/page";

/** What the report says about how its numbers are made. */
export const methodSentences = [
  say(
    "The baseline is the estimate of what a site would have used without the dispatch. Reduction is the baseline minus the measured load, in intervals of 30 seconds.",
  ),
  say(
    "Performance is the average reduction divided by the commitment, over the intervals that were received. Intervals without a reading are left out, never estimated; their share shows as readings.",
  ),
  say(
    "Totals are sums over sites, never means of percentages. Delivered energy is the sum of the reductions; committed energy is the commitment times the length of the dispatch.",
  ),
] as const;

/** The state of a result in a sentence. */
export const reportState = ({
  state,
  version,
  versions,
}: Pick<DispatchPerformance, "state" | "version" | "versions">) => {
  const shown = versions.find((each) => each.version === version);
  if (shown?.reason === "withdrawn") return say("Voided: the results were withdrawn.");
  if (state === "cancelled") return say("Cancelled: what was delivered until then is shown; sites are not judged.");
  if (shown === undefined) return say("Preliminary: the result is not final yet, and changes with each reading.");
  if (shown.standing !== "standing") return say("Version {version}, which does not stand.", { version: shown.version });
  if (shown.reason === "approved")
    return say("Approved, version {version}. It does not change any more.", { version: shown.version });
  return say(
    "Final, version {version}. Late or corrected readings may make a new version until it is approved or the time for corrections is over.",
    { version: shown.version },
  );
};
