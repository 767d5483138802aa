import Type, { type Static } from "typebox";
import { endpoint } from "../endpoint.js";
import { PageQuery, pageOf } from "../operator-v1/list.js";
import { Openadr3Client } from "../operator-v1/openadr3-client.js";
import { integer, moment, nullable, string, url } from "../values.js";

const Subscription = Type.Object(
  {
    id: string("Identifier of the subscription in OpenADR.", "oas_5k9v2b7n4m1x"),
    name: nullable(
      string("Name that the client gave itself.", "Store 12 gateway"),
      "Name that the client gave itself.",
    ),
    callback_urls: Type.Array(url("Address that is notified.", "https://gateway.example.com/openadr"), {
      description: "Addresses that are notified.",
    }),
    pending_count: integer("Number of notifications that are not delivered yet.", 0),
    last_attempt: nullable(
      Type.Object({
        at: moment("When it was made."),
        status: nullable(integer("HTTP status of the response; null if there was none.", 200)),
        error: nullable(string("What went wrong; null if it was delivered.", "connection refused")),
      }),
      "The last attempt to notify it; null if there was none.",
    ),
  },
  { $id: "Openadr3Subscription", description: "A subscription of a client, and how its last notification went." },
);

const { id, name, environment, sites, targets, state, last_used_at } = Openadr3Client.properties;

export const OwnOpenadr3Client = Type.Object(
  {
    id,
    name,
    environment,
    sites,
    targets,
    state,
    last_used_at,
    subscriptions: Type.Array(Subscription, { description: "Its subscriptions." }),
  },
  { $id: "OwnOpenadr3Client", description: "A client of OpenADR 3 of your account." },
);
export type OwnOpenadr3Client = Static<typeof OwnOpenadr3Client>;

export const listOwnOpenadrClients = endpoint({
  id: "listOwnOpenadrClients",
  method: "GET",
  path: "/openadr3-clients",
  tag: "OpenADR 3",
  summary: "List your OpenADR 3 clients",
  description:
    "Returns the clients of both environments, revoked ones included, with their subscriptions and how the last notification went. Only the operator can create and change them.",
  query: PageQuery,
  reply: pageOf(OwnOpenadr3Client),
});
