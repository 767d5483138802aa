import type { DayExplanation, DaysExplanation } from "./baseline-result.js";

/** Every local day that an explanation tells the baseline of: the first of the dispatch, later ones, and others. */
export const explainedDays = (explanation: DaysExplanation): ReadonlyArray<DaysExplanation | DayExplanation> => [
  explanation,
  ...(explanation.laterDays ?? []),
  ...(explanation.otherDays ?? []),
];
