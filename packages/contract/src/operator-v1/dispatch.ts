import Type, { type Static } from "typebox";
import { endpoint } from "../endpoint.js";
import { Dispatch, DispatchSite } from "../v2022-04-15/dispatch.js";
import { Commitment, id, nullable, Timestamp } from "../values.js";
import { byId, PageQuery, pageOf } from "./list.js";

const Revision = Type.Object(
  {
    modification_number: Type.Integer(),
    at: Timestamp,
    actor: Type.String({ description: "Who made the change." }),
    start_time: Timestamp,
    end_time: nullable(Timestamp),
    authorized: Type.Boolean(),
  },
  { $id: "DispatchRevision" },
);

/** A dispatch across accounts, with its notification time. */
export const OperatorDispatch = Type.Object(
  {
    ...Type.Omit(Dispatch, ["sites"]).properties,
    notification_time: Timestamp,
    sites: Type.Array(Type.Object({ ...DispatchSite.properties, account_id: id("Account of the site.") })),
  },
  { $id: "OperatorDispatch" },
);
export type OperatorDispatch = Static<typeof OperatorDispatch>;

export const CreatedDispatch = Type.Object(
  {
    ...OperatorDispatch.properties,
    excluded_sites: Type.Array(Type.Object({ site_id: Type.String(), reason: Type.String() }), {
      description: "Sites left out because they are not available in the period.",
    }),
  },
  { $id: "CreatedDispatch" },
);

export const DispatchWithHistory = Type.Object(
  { ...OperatorDispatch.properties, revisions: Type.Array(Revision, { description: "Every revision, oldest first." }) },
  { $id: "DispatchWithHistory" },
);

export const createDispatch = endpoint({
  id: "createDispatch",
  method: "POST",
  path: "/dispatches",
  tag: "Dispatches",
  summary: "Issue a dispatch",
  description:
    "Without `sites` every enrolled site is called with the commitment of its enrolment. Sites that are not available in the period are left out and listed in `excluded_sites`.",
  body: Type.Object({
    program_id: Type.String({ description: "Program that calls." }),
    start_time: Timestamp,
    end_time: Type.Optional(nullable(Timestamp)),
    notification_time: Type.Optional(Timestamp),
    test: Type.Optional(Type.Boolean({ description: "A test, not a market call; false unless given." })),
    sites: Type.Optional(
      Type.Array(Type.Object({ site_id: Type.String(), commitment: Type.Optional(Commitment) }), {
        minItems: 1,
        maxItems: 50_000,
      }),
    ),
  }),
  reply: CreatedDispatch,
  status: 201,
});
export const listAllDispatches = endpoint({
  id: "listAllDispatches",
  method: "GET",
  path: "/dispatches",
  tag: "Dispatches",
  summary: "List dispatches, newest first",
  query: PageQuery,
  reply: pageOf(OperatorDispatch),
});
export const getAnyDispatch = endpoint({
  id: "getAnyDispatch",
  method: "GET",
  path: "/dispatches/{id}",
  tag: "Dispatches",
  summary: "Retrieve a dispatch with its history",
  params: byId,
  reply: DispatchWithHistory,
});
export const changeDispatch = endpoint({
  id: "changeDispatch",
  method: "PATCH",
  path: "/dispatches/{id}",
  tag: "Dispatches",
  summary: "Change, end or cancel a dispatch",
  description:
    "`end_time` may lie in the past: the dispatch ends at once. `authorized: false` cancels; a cancelled dispatch cannot be changed.",
  params: byId,
  body: Type.Object({
    start_time: Type.Optional(Timestamp),
    end_time: Type.Optional(nullable(Timestamp)),
    authorized: Type.Optional(Type.Boolean({ description: "Only false is supported." })),
  }),
  reply: OperatorDispatch,
});
