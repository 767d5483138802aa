import Type, { type Static } from "typebox";
import { endpoint } from "../endpoint.js";
import { id, nullable, Timestamp } from "../values.js";
import { type AuditActionOf, type AuditKind, auditActions } from "./audit-actions.js";
import { auditStates } from "./audit-states.js";
import { EnvironmentQuery, pageOf } from "./list.js";

const common = {
  id: Type.String({ description: "Id of the entry.", examples: ["aud_1042"] }),
  at: { ...Timestamp, description: "When it was done." },
  actor: Type.String({
    description:
      "operator, service, key:<id> of a participant, user:<id> of a person who signed in, or ven:<id> for whoever opened the link of a VEN.",
    examples: ["user:usr_5x8c1v4b7n2m"],
  }),
  actor_name: nullable(
    Type.String({ description: "Name of the person, also of a deleted one; null of other actors." }),
  ),
  subject: Type.String({
    description:
      "Id of what was acted on, such as site_9d4f7g2h5j8k: of an enrolment the site's, of a certificate or a link to one the VEN's.",
  }),
  account_id: nullable(id("account", "Account concerned; null where it is not a single one.")),
};

/** `AuditEntryOfScheduleBlock` of `schedule_block`. */
const nameOf = (kind: string): string =>
  `AuditEntryOf${kind.replaceAll(/(?:^|_)(.)/g, (_, letter: string) => letter.toUpperCase())}`;

const entryOf = <K extends AuditKind>(kind: K) =>
  Type.Object(
    {
      ...common,
      subject_kind: Type.Literal(kind, { description: "Kind of what was acted on." }),
      action: Type.Enum([...auditActions[kind]] as AuditActionOf<K>[], { description: "What was done." }),
      before: auditStates[kind],
      after: auditStates[kind],
    },
    { $id: nameOf(kind) },
  );

const OtherEntry = Type.Object(
  {
    ...common,
    subject_kind: Type.Literal("other", { description: "An entry of another version of the service." }),
    action: Type.String({ description: "What was done, as that version names it.", examples: ["site.relocate"] }),
  },
  {
    $id: nameOf("other"),
    description:
      "An entry that another version of the service wrote and this one cannot read in full. Its states are left out; that version answers them.",
  },
);

/** Who did what to what; `subject_kind` says which states an entry has. */
export const AuditEntry = Type.Union(
  [
    entryOf("account"),
    entryOf("alarm"),
    entryOf("certificate"),
    entryOf("certificate_link"),
    entryOf("contact"),
    entryOf("delivery"),
    entryOf("dispatch"),
    entryOf("enrolment"),
    entryOf("key"),
    entryOf("meter"),
    entryOf("program"),
    entryOf("schedule_block"),
    entryOf("session"),
    entryOf("site"),
    entryOf("user"),
    entryOf("ven"),
    entryOf("webhook"),
    OtherEntry,
  ],
  {
    $id: "AuditEntry",
    description:
      "What was done. `before` and `after` are the states; `before` is null of what was created, `after` of what was deleted, and both where the action keeps none, such as a change of a password. A member that the version which wrote the entry did not have is absent.",
    discriminator: {
      propertyName: "subject_kind",
      mapping: Object.fromEntries(
        [...Object.keys(auditActions), "other"].map((kind) => [kind, `#/components/schemas/${nameOf(kind)}`]),
      ),
    },
  },
);
export type AuditEntry = Static<typeof AuditEntry>;

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
    action: Type.Optional(
      Type.String({
        description: "One action, also of another version of the service.",
        examples: ["dispatch.change"],
      }),
    ),
    subject: Type.Optional(Type.String({ description: "Id of what was acted on." })),
    from: Type.Optional(Timestamp),
    to: Type.Optional(Timestamp),
  }),
  reply: pageOf(AuditEntry),
});
