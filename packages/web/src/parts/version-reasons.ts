/** Why a version of a result was made. */
export const versionReasons = {
  complete: "all readings were complete",
  overdue: "expected readings did not arrive in time",
  corrected: "readings arrived late or were corrected",
  event_days: "an earlier dispatch was recorded, changed or voided",
  excluded_days: "days were excluded from the baseline by hand, or count again",
  approved: "approved by the operator",
  withdrawn: "the dispatch was voided and its results withdrawn",
} as const;
