import type { DayExplanation, DaysExplanation } from "./baseline-result.js";

/** Every local day whose baseline an explanation has: the first of the dispatch, later ones, and others. */
export const explainedDays = (explanation: DaysExplanation): ReadonlyArray<DaysExplanation | DayExplanation> => [
  explanation,
  ...(explanation.laterDays ?? []),
  ...(explanation.otherDays ?? []),
];
