import Type from "typebox";
import { endpoint } from "../endpoint.js";
import { nullable, Timestamp } from "../values.js";
import { EnvironmentQuery, pageOf } from "./list.js";

export const AuditEntry = Type.Object(
  {
    id: Type.String(),
    at: Timestamp,
    actor: Type.String({
      description:
        "operator, service, key:<id> of a participant, user:<id> of a person who signed in, or ven:<id> for whoever opened the link of a VEN.",
    }),
    actor_name: nullable(
      Type.String({ description: "Name of the person, also of a deleted one; null of other actors." }),
    ),
    action: Type.String({ examples: ["dispatch.change"] }),
    subject: Type.String({ description: "Id of what was acted on." }),
    account_id: nullable(Type.String()),
    before: Type.Unknown({
      description: 'State before, null when created. Of a list, the first 100 elements and "and N more".',
    }),
    after: Type.Unknown({
      description: 'State after, null when deleted. Of a list, the first 100 elements and "and N more".',
    }),
  },
  { $id: "AuditEntry" },
);

export const listAudit = endpoint({
  id: "listAudit",
  method: "GET",
  path: "/audit",
  tag: "Audit",
  summary: "Who did what, when; newest first",
  description:
    "Filters are exact, and all of them are met. `from` is included, `to` is not. The sandbox has a log of its own: of webhooks there.",
  query: Type.Object({
    ...EnvironmentQuery.properties,
    account_id: Type.Optional(Type.String({ description: "What was done to one account's own." })),
    actor: Type.Optional(Type.String({ description: "What one actor did." })),
    action: Type.Optional(Type.String({ description: "One action, for example dispatch.change." })),
    subject: Type.Optional(Type.String({ description: "Id of what was acted on." })),
    from: Type.Optional(Timestamp),
    to: Type.Optional(Timestamp),
  }),
  reply: pageOf(AuditEntry),
});
