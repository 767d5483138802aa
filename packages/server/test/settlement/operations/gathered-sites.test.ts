import { expect, test } from "vitest";
import type { ResultQuality } from "../../../src/performance/domain/result-quality.js";
import type { StandingResults } from "../../../src/performance/operations/final/standing-results.js";
import type { SiteSummary } from "../../../src/performance/operations/site-summary.js";
import { settledResult } from "../../../src/settlement/operations/gathered-sites.js";
import { standingDispatch, standingSite } from "../../support/domain-forms.js";

const results: StandingResults = { dispatch: standingDispatch(), versions: [], standing: null, sites: [] };

const counted = (quality: Partial<ResultQuality> | null) => {
  const summary = {
    performance: { latest: null, toDate: {} },
    baseline: { reason: null },
    ...(quality && { quality: { counts: "as_measured", decision: null, ...quality } }),
  } as unknown as SiteSummary;
  const site = standingSite({ result: summary });
  const { isMissing, isUnjudged, decided } = settledResult(results, site);
  return { isMissing, isUnjudged, decided };
};

test("a result counts in a statement as its quality says, or as the operator decided", () => {
  const decision = { reason: "the network was down", actor: "operator", atMs: 0 } as const;
  expect(counted(null)).toEqual({});
  expect(counted({ counts: "not_judged" })).toEqual({});
  expect(counted({ counts: "not_delivered" })).toEqual({ isMissing: true });
  expect(counted({ counts: "not_delivered", decision: { counts: "not_judged", ...decision } })).toEqual({
    isUnjudged: true,
    decided: "the network was down",
  });
  expect(counted({ decision: { counts: "not_delivered", ...decision } })).toEqual({
    isMissing: true,
    decided: "the network was down",
  });
});
