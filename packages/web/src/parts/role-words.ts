import { say } from "@curtail/words/page";
import type { User } from "../api/session.js";
import { isOfParticipant } from "../rules/role.js";

type Role = User["role"];

export const roleWords: Readonly<Record<Role, string>> = {
  "operator-admin": say("Administrator"),
  operator: say("Operator"),
  auditor: say("Auditor"),
  "participant-admin": say("Participant administrator"),
  "participant-viewer": say("Participant viewer"),
};

const explained: Readonly<Record<Role, string>> = {
  "operator-admin": say("full access, including users"),
  operator: say("full access, except users"),
  auditor: say("read-only access to everything"),
  "participant-admin": say("full access to one account"),
  "participant-viewer": say("read-only access to one account"),
};

/** Roles of one side to choose from; a user cannot change sides. */
export const roleChoices = (ofParticipants: boolean) =>
  (Object.keys(roleWords) as Role[])
    .filter((role) => isOfParticipant(role) === ofParticipants)
    .map((value) => ({ value, label: `${roleWords[value]}: ${explained[value]}` }));
