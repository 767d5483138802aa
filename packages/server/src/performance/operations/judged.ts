import type { DispatchPerformance } from "@curtail/measure";
import type { Judgement } from "../domain/performance.js";
import type { SiteSummary } from "./site-summary.js";

/** The sites of a result, reduced to what it may state about them. */
export const judgedSites = <Site extends SiteSummary>(
  judgement: Judgement,
  sites: readonly Site[],
): readonly Site[] => {
  switch (judgement) {
    case "judged":
      return sites;
    case "unjudged":
      return sites.map(unjudged);
    case "withdrawn":
      return [];
  }
};

/** Totals, without the share of the commitment unless the result is judged. */
export const judgedTotals = (judgement: Judgement, totals: DispatchPerformance): DispatchPerformance =>
  judgement === "judged"
    ? totals
    : {
        ...totals,
        now: { ...totals.now, performance: null },
        toDate: { ...totals.toDate, performance: null },
      };

/** What was delivered, without comparison to the commitment. */
const unjudged = <Site extends SiteSummary>(site: Site): Site => {
  const { performance } = site;
  const { latest, toDate } = performance;
  return {
    ...site,
    status: { colour: "grey", words: "not evaluated: the dispatch was cancelled" },
    compliance: null,
    performance: {
      ...performance,
      latest: latest === null ? null : { ...latest, performance: null },
      toDate: { ...toDate, performance: null, shareAtCommitment: null, shareComplying: null },
      secondsToFull: null,
      secondsToFullHeld: null,
      rampKwPerMinute: null,
    },
  };
};
