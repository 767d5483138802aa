import Type from "typebox";
import { endpoint } from "../endpoint.js";
import {
  comparedVersions,
  DifferenceQuery,
  differenceRule,
  siteDifference,
} from "../v2022-04-15/performance-difference.js";
import { byId } from "../values.js";
import { OperatorSitePerformance } from "./performance.js";

const OperatorSiteDifference = Type.Object(siteDifference(OperatorSitePerformance), {
  $id: "OperatorSiteDifference",
  description: "A site whose result differs.",
});

const OperatorPerformanceDifference = Type.Object(
  { ...comparedVersions, sites: Type.Array(OperatorSiteDifference, { description: "Sites whose results differ." }) },
  { $id: "OperatorPerformanceDifference", description: "What differs between two versions of a result." },
);

export const getAnyPerformanceDifference = endpoint({
  id: "getAnyPerformanceDifference",
  method: "GET",
  path: "/dispatches/{id}/performance/difference",
  tag: "Performance",
  summary: "Retrieve what differs between two versions of a result",
  description: differenceRule,
  params: byId("dispatch"),
  query: DifferenceQuery,
  reply: OperatorPerformanceDifference,
});
