import Type, { type Static } from "typebox";
import { endpoint } from "../endpoint.js";
import { id, nullable, Timestamp } from "../values.js";
import { byId, EnvironmentQuery, pageOf } from "./list.js";

/** A request of one of an account's keys, or those of a minute that were alike. */
export const LoggedRequests = Type.Object(
  {
    at: Timestamp,
    key_id: id("key", "Key that was sent."),
    method: Type.String(),
    path: Type.String({
      description:
        "Of one: with its ids, and the names of the query's parameters without their values. Of several: with {names} instead of ids.",
      examples: ["/2022-04-15/telemetry/kw?site_id&start_time"],
    }),
    status: Type.Integer(),
    duration_ms: Type.Number({ description: "Milliseconds; of several, their mean." }),
    max_duration_ms: Type.Number({ description: "Of the slowest." }),
    error: nullable(
      Type.String({ description: "The message that was answered; of several, the last. Null for success." }),
    ),
    explanation: nullable(Type.String({ description: "What to do about it, in plain words." })),
    count: Type.Integer({ description: "How many; of several, at is the beginning of their minute." }),
  },
  { $id: "LoggedRequests" },
);
export type LoggedRequests = Static<typeof LoggedRequests>;

export const listAccountRequests = endpoint({
  id: "listAccountRequests",
  method: "GET",
  path: "/accounts/{id}/requests",
  tag: "Accounts",
  summary: "List what an account's keys asked in the last day, newest first",
  description:
    "Requests with keys of the environment, wherever they were sent: those too that were refused because the key was revoked, has expired or is sent to the other environment, and those to addresses that are none. Requests with a key that nobody has are not kept. Errors one by one, up to 60 of an account and minute; beyond, and of what succeeded, those of a minute that are alike are counted together. A request shows a second after its answer.",
  params: byId,
  query: Type.Object({
    ...EnvironmentQuery.properties,
    status: Type.Optional(Type.Enum(["error", "ok"], { description: "error: those answered with 400 or above." })),
  }),
  reply: pageOf(LoggedRequests),
});
