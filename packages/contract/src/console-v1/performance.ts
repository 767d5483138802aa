import Type, { type Static } from "typebox";
import { endpoint } from "../endpoint.js";
import * as operator from "../operator-v1/performance.js";
import { PerformancePreparing, resultRules, VersionQuery } from "../v2022-04-15/performance.js";
import { byId, integer } from "../values.js";

const sites = (description: string, example: number) => integer(description, example, { minimum: 0 });

export const AccountCurve = Type.Object(
  {
    ...operator.PortfolioCurve.properties,
    sites: sites("Your sites in the dispatch whose data is visible; the curve is about them, measured or not.", 12),
    hidden_sites: sites("Your sites in the dispatch whose data is not visible. They are in no sum.", 0),
  },
  { $id: "AccountCurve", description: "What your sites in a dispatch deliver together, over time." },
);
export type AccountCurve = Static<typeof AccountCurve>;

export const getAccountCurve = endpoint({
  id: "getAccountCurve",
  method: "GET",
  path: "/dispatches/{id}/performance/curve",
  tag: "Performance",
  summary: "Retrieve the curve of all your sites in a dispatch",
  description: `Returns sums over your sites that have load and baseline; \`sites\` of each interval is how many these are. As in \`totals.now\`, a site counts with its newest interval until that is too old. ${resultRules}`,
  params: byId("dispatch"),
  query: VersionQuery,
  reply: AccountCurve,
  notYet: PerformancePreparing,
});
