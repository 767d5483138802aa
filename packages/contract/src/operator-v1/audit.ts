import Type from "typebox";
import { endpoint } from "../endpoint.js";
import { nullable, Timestamp } from "../values.js";
import { PageQuery, pageOf } from "./list.js";

export const AuditEntry = Type.Object(
  {
    id: Type.String(),
    at: Timestamp,
    actor: Type.String({
      description:
        "operator, service, key:<id> of a participant, user:<id> of a person who signed in, or ven:<id> for whoever opened the link of a VEN.",
    }),
    action: Type.String({ examples: ["dispatch.change"] }),
    subject: Type.String({ description: "Id of what was acted on." }),
    account_id: nullable(Type.String()),
    before: Type.Unknown({ description: "State before, null when created." }),
    after: Type.Unknown({ description: "State after, null when deleted." }),
  },
  { $id: "AuditEntry" },
);

export const listAudit = endpoint({
  id: "listAudit",
  method: "GET",
  path: "/audit",
  tag: "Audit",
  summary: "Who did what, when; newest first",
  query: PageQuery,
  reply: pageOf(AuditEntry),
});
