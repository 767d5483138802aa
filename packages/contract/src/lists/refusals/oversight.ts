// What is refused of alarms, shift reports and searches.

export const oversightRefusals = [
  "the readings of all meters are still being counted; wait {seconds} seconds",
  "to_time is in the future; a report says what happened until now",
  "from_time is not before to_time; swap them, or name an earlier from_time",
  "a shift lasts at most {n} hours; keep a report for each part of the period",
  "start is in the future; give a time of the last 25 hours",
  "start is more than {n} hours ago; give a later one",
  "other searches of yours are under way; wait {seconds} seconds",
  "note is blank; say what was found or done",
  "assigned_to is blank; name a person or a desk, or send null for nobody",
  "until is past; name a time within {n} hours from now",
  "until is more than {n} hours from now; the latest is {latest}",
  "Read the report that another person kept meanwhile; then edit it, or draw up yours again.",
  "Read version {version}, which {who} saved at {at}; then send your texts with that version.",
  "Read version {version}, which {who} saved; then send your texts with that version.",
  "the report has {n} versions, the most allowed; write the rest in the next report",
  "start_time is more than 5 minutes in the past; give a later one, or leave it out",
  "No such alarm group; check the id.",
  "No such alarm; check the id.",
  "No such shift report; check the id.",
  "No such shift report, or version of it; check the id.",
] as const;
