import Type, { type Static } from "typebox";
import { NAME_CHARACTERS } from "../constants.js";
import { endpoint } from "../endpoint.js";
import { byId, date, id, moment, string, text } from "../values.js";
import { PageQuery, pageOf } from "./list.js";

/** A local day that is excluded, and why. */
export const excludedDay = {
  date: date("The day, YYYY-MM-DD, in the time zone of the program that measures.", "2026-06-24"),
  reason: string("Why it is excluded.", "the chiller was being repaired"),
};

export const ExcludedDay = Type.Object(
  {
    ...excludedDay,
    by: string("Who excluded it, as in the audit log.", "operator"),
    at: moment("When it was excluded.", "later"),
  },
  { $id: "ExcludedDay", description: "A day of a site that no baseline is computed from." },
);
export type ExcludedDay = Static<typeof ExcludedDay>;

const excludedDayParams = Type.Object({ id: id("site"), date: date("The day, YYYY-MM-DD.", "2026-06-24") });

export const listExcludedDays = endpoint({
  id: "listExcludedDays",
  method: "GET",
  path: "/sites/{id}/excluded-days",
  tag: "Performance",
  summary: "List the days of a site that are excluded from baselines",
  description: "Returns the days that operators excluded. The explanation of a result names those it dropped.",
  params: byId("site"),
  query: PageQuery,
  reply: pageOf(ExcludedDay),
});
export const excludeDay = endpoint({
  id: "excludeDay",
  method: "PUT",
  path: "/sites/{id}/excluded-days/{date}",
  tag: "Performance",
  summary: "Exclude a day of a site from baselines",
  description:
    "Baselines of the site no longer use the day. Results that looked back on it follow: live ones within seconds, final ones with a new version that says who and why, approved ones with a later version that changes nothing. Participants see the reason in the explanation. Another reason replaces the previous one. Excluding a day of a dispatch itself changes only later dispatches.",
  params: excludedDayParams,
  body: Type.Object({
    reason: text(NAME_CHARACTERS, "Why it is excluded.", "the chiller was being repaired", 1),
  }),
  reply: ExcludedDay,
});
export const includeDay = endpoint({
  id: "includeDay",
  method: "DELETE",
  path: "/sites/{id}/excluded-days/{date}",
  tag: "Performance",
  summary: "Remove the exclusion of a day",
  description: "Baselines may be computed from the day again; results follow as they did when it was excluded.",
  params: excludedDayParams,
  status: 204,
});
