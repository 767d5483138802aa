import Type from "typebox";
import { endpoint } from "../endpoint.js";
import { PageQuery, pageOf } from "../operator-v1/list.js";
import { aboutRequests, LoggedRequests, requestFilters } from "../operator-v1/request-log.js";

export const listRequests = endpoint({
  id: "listRequests",
  method: "GET",
  path: "/requests",
  tag: "Requests",
  summary: "List your requests of the last day, newest first",
  description: `An extension of the interface. Returns requests with any key of your account in this environment, with what to do about each error. Those refused because the key was revoked, has expired or belongs to the other environment are included, and those to unknown paths. Successful requests of this list are left out.\n\n${aboutRequests}`,
  query: Type.Object({ ...PageQuery.properties, ...requestFilters }),
  reply: pageOf(LoggedRequests),
});
