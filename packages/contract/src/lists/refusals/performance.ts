// What is refused of results and reports.

export const performanceRefusals = [
  "note is blank; say why the result is approved",
  "the result is not final yet; approve it once it is",
  "the dispatch was voided, and its results are withdrawn",
  "version {version} is not the newest; look at version {newest}, and approve that",
  "reason is blank; say why you decide so",
  "the result is not final yet; decide once it is",
  "the result was made by the first rules, by which nothing is decided",
  "{date} is not a day of the calendar; give it as YYYY-MM-DD",
  "reason is blank; say why the day is excluded",
  '{member} is "{date}"; give a date between 1970 and 9999 as YYYY-MM-DD',
  "to is before from; give the first and the last day of the period",
  "the period has {days} days, and a report has at most {most}; choose a later from",
  "at is in the future; give a moment that has passed",
  "The dispatch was voided and its results withdrawn; request an earlier version.",
  "the dispatch is too large to be measured as a whole while it runs, with {n} sites; request single sites, or wait for its final result",
  "other dispatches use all the memory for live measurement; request single sites; wait {seconds} seconds",
  "No such excluded day; check the id.",
  "No such version; check the id.",
] as const;
