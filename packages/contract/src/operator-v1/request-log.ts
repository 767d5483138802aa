import Type, { type Static } from "typebox";
import { endpoint } from "../endpoint.js";
import { byId, id, integer, moment, nullable, number, string } from "../values.js";
import { EnvironmentQuery, pageOf } from "./list.js";

/** A request with one of an account's keys, or all similar requests of a minute. */
export const LoggedRequests = Type.Object(
  {
    id: id("request", "Identifier of the entry, which it keeps while its count grows."),
    at: moment("When the request was answered; for several requests, the start of their minute."),
    key_id: id("key", "Key of the request."),
    method: string("HTTP method.", "GET"),
    path: string(
      "Path of the request. For one request with its ids, and the names of query parameters without values; for several with {names} in place of ids.",
      "/2022-04-15/telemetry/kw?site_id&start_time",
    ),
    status: integer("HTTP status of the reply.", 200),
    duration_ms: number("Duration in milliseconds; for several requests, the mean.", 12.4),
    max_duration_ms: number("Duration of the slowest request in milliseconds.", 31.8),
    error: nullable(
      string("Message of the reply; for several requests, the last one. null for success.", "start_time is required"),
    ),
    explanation: nullable(
      string("What to do about the error; null for success.", "Send start_time as RFC 3339 with an offset."),
    ),
    count: integer("Number of requests.", 2),
  },
  { $id: "LoggedRequests", description: "A request, or all similar requests of a minute." },
);
export type LoggedRequests = Static<typeof LoggedRequests>;

/** Members of a query that choose entries of the log. */
export const requestFilters = {
  status: Type.Optional(
    Type.Enum(["error", "ok"], { description: "`error`: only replies with a status of 400 or above. Default: all." }),
  ),
  since: Type.Optional(
    moment("Only requests from this moment on, and what was combined of its minute. Default: the last day.", "start"),
  ),
};

/** What every list of requests says about its entries. */
export const aboutRequests =
  "Errors are listed one by one, up to 60 per account and minute. Further errors and successful requests are combined with similar ones of the same minute. A request appears about a second after its reply.";

export const listAccountRequests = endpoint({
  id: "listAccountRequests",
  method: "GET",
  path: "/accounts/{id}/requests",
  tag: "Accounts",
  summary: "List an account's requests of the last day, newest first",
  description: `Returns requests with keys of the environment, including those refused because the key was revoked, has expired or belongs to the other environment, and those to unknown paths. Requests with an unknown key are not logged, nor are successful ones of GET /requests.\n\n${aboutRequests}`,
  params: byId("account"),
  query: Type.Object({ ...EnvironmentQuery.properties, ...requestFilters }),
  reply: pageOf(LoggedRequests),
});
