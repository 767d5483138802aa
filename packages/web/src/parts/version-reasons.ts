/** Why a version of a result was made. */
export const versionReasons = {
  complete: "all readings were complete",
  overdue: "expected readings did not arrive in time",
  corrected: "readings arrived late or were corrected",
  event_days: "an earlier dispatch was recorded, changed or voided",
  rules: "newer rules of measuring were adopted for this month",
  decided: "an operator decided about a site whose readings are missing",
  excluded_days: "days were excluded from the baseline by hand, or count again",
  approved: "approved by the operator",
  withdrawn: "the dispatch was voided and its results withdrawn",
} as const;
