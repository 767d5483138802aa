import { say } from "@curtail/words/page";
/** Why a version of a result was made. */
export const versionReasons = {
  complete: say("all readings were complete"),
  overdue: say("expected readings did not arrive in time"),
  corrected: say("readings arrived late or were corrected"),
  event_days: say("an earlier dispatch was recorded, changed or voided"),
  rules: say("newer rules of measuring were adopted for this month"),
  decided: say("an operator decided about a site whose readings are missing"),
  excluded_days: say("days were excluded from the baseline by hand, or count again"),
  approved: say("approved by the operator"),
  withdrawn: say("the dispatch was voided and its results withdrawn"),
} as const;
