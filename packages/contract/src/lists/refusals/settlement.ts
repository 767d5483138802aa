// What is refused of terms and statements.

export const settlementRefusals = [
  'currency is "{currency}"; give an ISO 4217 code such as USD',
  "the terms are empty; give at least one of capacity, energy and penalty",
  "capacity.factor.lowest is above highest; exchange them",
  "reason is blank; say why the rules are adopted earlier",
  "the newest rules hold from {month} on already; choose an earlier month",
  "statements of {month} are approved and keep their rules; choose a month from {next} on",
  "note is blank; say why the statement is approved",
  "{month} is not over; approve the statement once it is",
  "the statement is being made by others; try again",
  "no program has terms in {month}; set terms of a program from this month or an earlier one",
  "nothing to settle: no site was enrolled or dispatched in {month} in a program that has terms",
  "The program of the simulated site has no terms: simulated results are never paid.",
  "No such statement; check the id.",
  "No such terms; check the id.",
] as const;
