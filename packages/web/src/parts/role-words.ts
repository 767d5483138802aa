import type { User } from "../api/session.js";
import { isOfParticipant } from "../rules/role.js";

type Role = User["role"];

export const roleWords: Readonly<Record<Role, string>> = {
  "operator-admin": "Administrator",
  operator: "Operator",
  auditor: "Auditor",
  "participant-admin": "Participant administrator",
  "participant-viewer": "Participant viewer",
};

const explained: Readonly<Record<Role, string>> = {
  "operator-admin": "everything, users too",
  operator: "everything but users",
  auditor: "reads all, changes nothing",
  "participant-admin": "everything of one account",
  "participant-viewer": "reads one account",
};

/** Roles of one side, to choose from: a user stays on the side that it is on. */
export const roleChoices = (ofParticipants: boolean) =>
  (Object.keys(roleWords) as Role[])
    .filter((role) => isOfParticipant(role) === ofParticipants)
    .map((value) => ({ value, label: `${roleWords[value]}: ${explained[value]}` }));
