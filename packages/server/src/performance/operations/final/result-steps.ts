import type { BaselineMethod, Explanation } from "@curtail/measure";
import type { SiteResult } from "../site-summary.js";

/** A step of computing a result. `window`: the mean of the load just before. `agreed`: a constant. */
export type ResultStep =
  | "pool"
  | "choice"
  | "average"
  | "adjustment"
  | "no_less_than_zero"
  | "window"
  | "agreed"
  | "reduction";

/** The steps in the order in which they were computed, as far as they led. */
export const resultSteps = ({
  method,
  explanation,
  baseline,
}: Pick<SiteResult, "method" | "explanation" | "baseline">): readonly ResultStep[] => [
  ...baselineSteps(method, explanation, baseline.state === "found"),
  ...(baseline.state === "found" ? (["reduction"] as const) : []),
];

const baselineSteps = (method: BaselineMethod, explanation: Explanation, isFound: boolean): readonly ResultStep[] => {
  switch (explanation.kind) {
    case "days":
      return isFound ? ["pool", "choice", "average", ...lastSteps(method)] : ["pool"];
    case "meter_before":
      // The fallback of a method whose pool was too short.
      return explanation.insteadOf === undefined ? ["window"] : ["pool", "window"];
    case "flat":
    case "firm_service_level":
      return ["agreed"];
  }
};

const lastSteps = (method: BaselineMethod): readonly ResultStep[] =>
  method.kind !== "days"
    ? []
    : [
        ...(method.adjust.kind === "none" ? [] : (["adjustment"] as const)),
        ...(method.allow_negative ? [] : (["no_less_than_zero"] as const)),
      ];
