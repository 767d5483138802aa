import Type, { type Static } from "typebox";
import { MAX_CHANGE_OVER_HOURS, OPENADR3_SCOPES, SECRET_OVERLAP_HOURS } from "../constants.js";
import { endpoint } from "../endpoint.js";
import { byId, id, integer, moment, nullable, string, text } from "../values.js";
import { environments, PageQuery, pageOf } from "./list.js";
import { Sites } from "./ven.js";

const Name = text(100, "Name of the client; its ven is created with it.", "Store 12 gateway", 1);

const Environment = Type.Enum([...environments], {
  description: "Environment whose objects the client sees. Default: `production`.",
});

const Scopes = Type.Array(Type.Enum([...OPENADR3_SCOPES], { description: "A scope of OpenADR 3." }), {
  uniqueItems: true,
  maxItems: OPENADR3_SCOPES.length,
  description: "Scopes that tokens of the client may have. Default: all of its role.",
});

const Targets = Type.Array(text(128, "A target.", "group-1", 1), {
  maxItems: 1000,
  description:
    "Targets that the VEN is granted: it sees programs and events that have one of them, besides those without targets. Business logic may change them through its ven, too.",
});

const ExternalId = text(
  256,
  "How the outside issuer of tokens names the client, if the service is configured with one. Such a client has no secret here.",
  "6f1c2b9e-gateway",
  1,
);

/** A client of OpenADR 3, without its secret. */
const members = {
  id: id("openadr3_client", "Identifier of the client: the `client_id` in OpenADR."),
  role: Type.Enum(["ven", "bl"], { description: "`ven`: a participant's VEN. `bl`: business logic of the operator." }),
  account_id: nullable(id("account"), "Account of the VEN; null for business logic, which sees every account."),
  environment: Environment,
  name: Name,
  sites: Sites,
  scopes: Scopes,
  targets: Targets,
  ven_id: nullable(string("Identifier of its ven in OpenADR; null for business logic.", "oav_3k7m1x9c5v2b")),
  external_id: nullable(ExternalId),
  state: Type.Enum(["active", "revoked"], { description: "Whether the client gets tokens." }),
  previous_secret_until: nullable(
    moment("Until when the secret before the last rotation is accepted, too; null if it is not.", "later"),
  ),
  created_at: moment("When the client was created.", "created"),
  revoked_at: nullable(moment("When the client was revoked; null unless it was.", "later")),
  last_used_at: nullable(moment("When the client last sent a request, to the minute; null if never.")),
};

export const Openadr3Client = Type.Object(members, {
  $id: "Openadr3Client",
  description: "A client of OpenADR 3: a VEN of an account, or business logic of the operator.",
});
export type Openadr3Client = Static<typeof Openadr3Client>;

export const NewOpenadr3Client = Type.Object(
  {
    ...members,
    client_secret: nullable(
      string(
        "Secret of the client. It is shown only here, once; null for a client of the outside issuer.",
        "cto_4be1…",
      ),
    ),
  },
  { $id: "NewOpenadr3Client", description: "A client of OpenADR 3 with its secret, which is shown once." },
);
export type NewOpenadr3Client = Static<typeof NewOpenadr3Client>;

const created = {
  name: Name,
  environment: Type.Optional(Environment),
  scopes: Type.Optional(Scopes),
  external_id: Type.Optional(nullable(ExternalId)),
};

export const createOpenadr3Client = endpoint({
  id: "createOpenadr3Client",
  method: "POST",
  path: "/accounts/{id}/openadr3-clients",
  once: "within",
  tag: "OpenADR 3",
  summary: "Create an OpenADR 3 client of an account",
  description:
    "Creates a VEN's client with its ven, and shows its secret once. The VEN gets tokens with id and secret, and may register under a name of its own. A site that the account does not have gets 400.",
  params: byId("account"),
  body: Type.Object({ ...created, sites: Type.Optional(Sites), targets: Type.Optional(Targets) }),
  reply: NewOpenadr3Client,
  status: 201,
});
export const listOpenadr3Clients = endpoint({
  id: "listOpenadr3Clients",
  method: "GET",
  path: "/accounts/{id}/openadr3-clients",
  tag: "OpenADR 3",
  summary: "List an account's OpenADR 3 clients",
  description: "Returns the clients of both environments, revoked ones included, without their secrets.",
  params: byId("account"),
  query: PageQuery,
  reply: pageOf(Openadr3Client),
});
export const createBusinessLogic = endpoint({
  id: "createBusinessLogic",
  method: "POST",
  path: "/openadr3-clients",
  once: "within",
  tag: "OpenADR 3",
  summary: "Create a business logic client",
  description:
    "Creates a client that reads every object of the environment and writes programs, events, vens and subscriptions, and shows its secret once.",
  body: Type.Object(created),
  reply: NewOpenadr3Client,
  status: 201,
});
export const listBusinessLogic = endpoint({
  id: "listBusinessLogic",
  method: "GET",
  path: "/openadr3-clients",
  tag: "OpenADR 3",
  summary: "List business logic clients",
  description: "Returns the operator's own clients of both environments, revoked ones included, without their secrets.",
  query: PageQuery,
  reply: pageOf(Openadr3Client),
});
export const getOpenadr3Client = endpoint({
  id: "getOpenadr3Client",
  method: "GET",
  path: "/openadr3-clients/{id}",
  tag: "OpenADR 3",
  summary: "Retrieve an OpenADR 3 client",
  description: "Returns the client of an account or business logic, without its secret.",
  params: byId("openadr3_client"),
  reply: Openadr3Client,
});
export const changeOpenadr3Client = endpoint({
  id: "changeOpenadr3Client",
  method: "PATCH",
  path: "/openadr3-clients/{id}",
  tag: "OpenADR 3",
  summary: "Change an OpenADR 3 client",
  description:
    "Members that are left out keep their value. Tokens that were issued before lose scopes that are taken away. Business logic has neither sites nor targets.",
  params: byId("openadr3_client"),
  body: Type.Object({
    name: Type.Optional(Name),
    sites: Type.Optional(Sites),
    scopes: Type.Optional(Scopes),
    targets: Type.Optional(Targets),
  }),
  reply: Openadr3Client,
});
export const rotateOpenadr3Secret = endpoint({
  id: "rotateOpenadr3Secret",
  method: "POST",
  path: "/openadr3-clients/{id}/rotate-secret",
  once: "within",
  tag: "OpenADR 3",
  summary: "Rotate the secret of an OpenADR 3 client",
  description: `Shows a new secret once. The previous one gets tokens for ${SECRET_OVERLAP_HOURS} hours more, unless the request says otherwise; with 0 hours, the secret and all tokens of the client stop working at once.`,
  params: byId("openadr3_client"),
  body: Type.Object({
    previous_valid_hours: Type.Optional(
      integer(
        `Hours for which the previous secret is accepted, too. Default: ${SECRET_OVERLAP_HOURS}.`,
        SECRET_OVERLAP_HOURS,
        { minimum: 0, maximum: MAX_CHANGE_OVER_HOURS },
      ),
    ),
  }),
  reply: NewOpenadr3Client,
});
export const revokeOpenadr3Client = endpoint({
  id: "revokeOpenadr3Client",
  method: "DELETE",
  path: "/openadr3-clients/{id}",
  tag: "OpenADR 3",
  summary: "Revoke an OpenADR 3 client",
  description:
    "Its secret and its tokens stop working within a second. Its ven, resources and subscriptions are deleted; its reports are kept. This cannot be undone.",
  params: byId("openadr3_client"),
  status: 204,
});
