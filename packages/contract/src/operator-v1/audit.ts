import Type, { type Static } from "typebox";
import { endpoint } from "../endpoint.js";
import { id, moment, nullable, string } from "../values.js";
import { type AuditActionOf, type AuditKind, auditActions } from "./audit-actions.js";
import { auditStates } from "./audit-states.js";
import { actor, actorName } from "./dispatch.js";
import { EnvironmentQuery, pageOf } from "./list.js";

// The example is too short for an id: tests check ids in replies against the kind in the example, and subjects can be
// of any kind.
const subject = string(
  "Id of the subject. For an enrolment, the id of its site, as for meter data; for a phone call, the id of its dispatch; for a certificate or its link, the id of its VEN; for the demo, `demo`; for the simulated site, `simulated_site`; for held delivery, `delivery_hold`; for rules, `rules`.",
  "site_9d4f",
);

const common = {
  id: string("Identifier of the entry.", "aud_1042"),
  at: moment("When the action was taken.", "created"),
  actor,
  actor_name: actorName,
  subject,
  account_id: nullable(id("account", "Account concerned; null unless it is a single one.")),
};

/** For example `AuditEntryOfScheduleBlock` for `schedule_block`. */
const nameOf = (kind: string): string =>
  `AuditEntryOf${kind.replaceAll(/(?:^|_)(.)/g, (_, letter: string) => letter.toUpperCase())}`;

const entryOf = <K extends AuditKind>(kind: K) =>
  Type.Object(
    {
      ...common,
      subject_kind: Type.Literal(kind, { description: "Kind of the subject." }),
      action: Type.Enum([...auditActions[kind]] as AuditActionOf<K>[], { description: "The action." }),
      before: auditStates[kind],
      after: auditStates[kind],
    },
    { $id: nameOf(kind), description: `An action on a subject of kind \`${kind}\`.` },
  );

const OtherEntry = Type.Object(
  {
    ...common,
    subject_kind: Type.Literal("other", { description: "Always `other`: an entry of another version of the service." }),
    action: string("The action, as that version names it.", "site.relocate"),
  },
  {
    $id: nameOf("other"),
    description:
      "An entry written by another version of the service, which this version cannot read in full. Its states are left out; the other version returns them.",
  },
);

/** Who did what, to which subject. `subject_kind` determines the states of an entry. */
export const AuditEntry = Type.Union(
  [
    entryOf("account"),
    entryOf("alarm"),
    entryOf("alarm_group"),
    entryOf("calendar"),
    entryOf("certificate"),
    entryOf("certificate_link"),
    entryOf("channel_address"),
    entryOf("contact"),
    entryOf("delivery"),
    entryOf("delivery_hold"),
    entryOf("demo"),
    entryOf("dispatch"),
    entryOf("enrolment"),
    entryOf("excluded_day"),
    entryOf("integration_certificate"),
    entryOf("key"),
    entryOf("mapping_profile"),
    entryOf("meter"),
    entryOf("meter_data"),
    entryOf("openadr3_client"),
    entryOf("openadr3_event"),
    entryOf("openadr3_program"),
    entryOf("phone_call"),
    entryOf("program"),
    entryOf("rules"),
    entryOf("schedule_block"),
    entryOf("session"),
    entryOf("simulated_site"),
    entryOf("shift_report"),
    entryOf("site"),
    entryOf("statement"),
    entryOf("terms"),
    entryOf("user"),
    entryOf("ven"),
    entryOf("webhook"),
    OtherEntry,
  ],
  {
    $id: "AuditEntry",
    description:
      "An action with the state of its subject before and after. `before` is null for a creation, `after` for a deletion, and both for an action that keeps no states, such as a change of a password. Members that the writing version did not have are absent.",
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
  summary: "List the audit log, newest first",
  description:
    "Returns the entries that meet all filters: who did what, and the state before and after. Entries cannot be changed or deleted. The sandbox has its own log, with changes of sandbox webhooks.",
  query: Type.Object({
    ...EnvironmentQuery.properties,
    account_id: Type.Optional(id("account", "Only entries that concern this account.")),
    actor: Type.Optional(string("Only actions of this actor.", "user:usr_5x8c1v4b7n2m")),
    action: Type.Optional(string("Only this action, which may be one of another version.", "dispatch.change")),
    subject: Type.Optional(string("Only actions on the subject with this id.", "site_9d4f7g2h5j8k")),
    from: Type.Optional(moment("Start of the period, inclusive.", "created")),
    to: Type.Optional(moment("End of the period, exclusive.", "later")),
  }),
  reply: pageOf(AuditEntry),
});
