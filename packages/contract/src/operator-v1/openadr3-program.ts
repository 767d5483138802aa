import Type, { type Static } from "typebox";
import { OPENADR3_OWN_PAYLOADS } from "../constants.js";
import { endpoint } from "../endpoint.js";
import { boolean, byId, id, integer, moment, nullable, string, text } from "../values.js";
import { EnvironmentQuery, environments, pageOf } from "./list.js";

export const OwnPayloadType = Type.Enum([...OPENADR3_OWN_PAYLOADS], {
  description: "What the values mean: a payload type of OpenADR 3.1.",
});

const ids = (of: "account" | "site", description: string) =>
  Type.Array(id(of), { maxItems: 1000, uniqueItems: true, description });

const TargetName = text(128, "A target.", "group-1", 1);

/** Who sees a program or event; a request may leave members out. */
export const AudienceOf = Type.Object(
  {
    accounts: ids("account", "Accounts whose VENs see it."),
    sites: ids("site", "Sites whose VENs see it."),
    names: Type.Array(TargetName, {
      maxItems: 1000,
      uniqueItems: true,
      description: "Targets; a VEN that was granted one of them sees it.",
    }),
  },
  {
    $id: "Openadr3Audience",
    description: "Who sees it: every VEN that one of the lists reaches. All lists are empty for a public program, and for an event that is for all who see its program.",
  },
);

const givenAudience = (description: string) =>
  Type.Object(
    {
      accounts: Type.Optional(AudienceOf.properties.accounts),
      sites: Type.Optional(AudienceOf.properties.sites),
      names: Type.Optional(AudienceOf.properties.names),
    },
    { description },
  );

export const GivenAudience = givenAudience("Who sees it. Default: everybody who sees the program.");

const ProgramAudience = givenAudience("Who sees it. Default: only those that see an event of yours in it by its targets.");

const PayloadTypeName = text(128, "A payload type.", "PRICE", 1);
export const Units = text(128, "Unit of the values, as OpenADR 3.1 names it.", "KWH", 1);
export const Currency = Type.String({
  pattern: "^[A-Z]{3}$",
  description: "Currency of a price, a code of ISO 4217.",
  examples: ["EUR"],
});

export const EventPayload = Type.Object(
  {
    payload_type: PayloadTypeName,
    units: nullable(Units, "Unit of the values, as OpenADR 3.1 names it; null if they have none."),
    currency: nullable(string("Currency of a price.", "EUR"), "Currency of a price; null for other values."),
  },
  { $id: "Openadr3EventPayload", description: "How to read the values of a payload type." },
);

const ProgramName = text(128, "Name of the program, unique in its environment.", "Day-ahead prices", 1);

const Environment = Type.Enum([...environments], {
  description: "Environment of the program and its events. Default: `production`.",
});

const isPublic = (description: string) => boolean(`Whether every VEN sees the program.${description}`, false);

export const Openadr3Program = Type.Object(
  {
    id: id("openadr3_program"),
    environment: Environment,
    name: ProgramName,
    payloads: Type.Array(EventPayload, {
      description: "How to read the values of its events, unless an event says otherwise.",
    }),
    public: isPublic(" Otherwise VENs see it that `targets` reaches, and those that see an event of yours in it by its targets."),
    targets: AudienceOf,
    event_count: integer("Number of its events that are not over.", 2),
    created_at: moment("When the program was created.", "created"),
    modified_at: moment("When the program was last changed.", "created"),
  },
  {
    $id: "Openadr3Program",
    description:
      "A program of the operator's own in OpenADR 3, such as one for prices. Programs that dispatches belong to follow those of the service.",
  },
);
export type Openadr3Program = Static<typeof Openadr3Program>;

const GivenPayloads = Type.Array(
  Type.Object({
    payload_type: OwnPayloadType,
    units: Type.Optional(Units),
    currency: Type.Optional(Currency),
  }),
  {
    maxItems: OPENADR3_OWN_PAYLOADS.length,
    description:
      "How to read the values of its events. Prices need `currency` and units such as `KWH`, capacity limits units such as `KW`.",
  },
);

export const createOpenadrProgram = endpoint({
  id: "createOpenadrProgram",
  method: "POST",
  path: "/openadr3-programs",
  once: "within",
  tag: "OpenADR 3",
  summary: "Create an OpenADR 3 program of your own",
  description:
    "Creates a program for events that are no dispatches: prices, emissions, capacity limits and alerts. Business logic clients see it and may change it. A name that is taken gets 400.",
  body: Type.Object({
    name: ProgramName,
    environment: Type.Optional(Environment),
    payloads: Type.Optional(GivenPayloads),
    public: Type.Optional(isPublic(" Default: false. A public program has no targets.")),
    targets: Type.Optional(ProgramAudience),
  }),
  reply: Openadr3Program,
  status: 201,
});
export const listOpenadrPrograms = endpoint({
  id: "listOpenadrPrograms",
  method: "GET",
  path: "/openadr3-programs",
  tag: "OpenADR 3",
  summary: "List OpenADR 3 programs of your own",
  description: "Returns the programs that the operator or a business logic client created, in order of creation.",
  query: EnvironmentQuery,
  reply: pageOf(Openadr3Program),
});
export const getOpenadrProgram = endpoint({
  id: "getOpenadrProgram",
  method: "GET",
  path: "/openadr3-programs/{id}",
  tag: "OpenADR 3",
  summary: "Retrieve an OpenADR 3 program of your own",
  description: "Returns the program. One that follows a program of the service gets 404.",
  params: byId("openadr3_program"),
  reply: Openadr3Program,
});
export const changeOpenadrProgram = endpoint({
  id: "changeOpenadrProgram",
  method: "PATCH",
  path: "/openadr3-programs/{id}",
  tag: "OpenADR 3",
  summary: "Change an OpenADR 3 program of your own",
  description:
    "Members that are left out keep their value; `payloads` and `targets` are replaced as a whole. Subscribers are notified.",
  params: byId("openadr3_program"),
  body: Type.Object({
    name: Type.Optional(ProgramName),
    payloads: Type.Optional(GivenPayloads),
    public: Type.Optional(isPublic(" `true` takes its targets away; targets that are given make it `false`.")),
    targets: Type.Optional(ProgramAudience),
  }),
  reply: Openadr3Program,
});
export const deleteOpenadrProgram = endpoint({
  id: "deleteOpenadrProgram",
  method: "DELETE",
  path: "/openadr3-programs/{id}",
  tag: "OpenADR 3",
  summary: "Delete an OpenADR 3 program of your own",
  description:
    "Deletes its events, their reports and the subscriptions to it, too. Subscribers are notified. This cannot be undone.",
  params: byId("openadr3_program"),
  status: 204,
});
