export const operatorRoles = ["operator-admin", "operator", "auditor"] as const;
export const participantRoles = ["participant-admin", "participant-viewer"] as const;

export type Role = (typeof operatorRoles)[number] | (typeof participantRoles)[number];

/** A person who signs in. */
export interface User {
  readonly id: string;
  readonly email: string;
  readonly name: string;
  readonly role: Role;
  /** Set for participants' roles only. */
  readonly accountId: string | null;
  readonly hasPassword: boolean;
  readonly hasTotp: boolean;
  readonly disabled: boolean;
  readonly createdAt: Date;
}

/** A newly invited user. */
export const newUser = (
  input: Pick<User, "email" | "name" | "role" | "accountId">,
  { id, at }: { readonly id: string; readonly at: Date },
): User => ({
  id,
  ...input,
  hasPassword: false,
  hasTotp: false,
  disabled: false,
  createdAt: at,
});

export const isParticipantRole = (role: Role): role is (typeof participantRoles)[number] =>
  participantRoles.some((each) => each === role);

/** Whether a role may change users of its side. */
export const isAdmin = (role: Role): boolean => role === "operator-admin" || role === "participant-admin";

/** What a signed-in user's request needs. */
export interface Access {
  /** The operator API, or the participants' part of the console. */
  readonly of: "operator" | "participant";
  readonly writes: boolean;
  /** Whether it concerns users, or the demo. */
  readonly forAdmins: boolean;
}

/** Whether a role has an access right. Only administrators change users, each on their own side, and the demo. */
export const may = (role: Role, { of, writes, forAdmins }: Access): boolean => {
  switch (role) {
    case "operator-admin":
      return of === "operator";
    case "operator":
      return of === "operator" && !(writes && forAdmins);
    case "auditor":
      return of === "operator" && !writes;
    case "participant-admin":
      return of === "participant";
    case "participant-viewer":
      return of === "participant" && !writes;
  }
};

/** A signing secret allows sending requests, which is more than reading. */
export const seesSecrets = (role: Role): boolean => role !== "auditor";

/** Roles never change sides: an account's data must not become visible by a change of role. */
export const maySwitch = (from: Role, to: Role): boolean => isParticipantRole(from) === isParticipantRole(to);

export const INVITATION_HOURS = 24;

export const MIN_PASSWORD_CHARACTERS = 12;
export const MAX_PASSWORD_CHARACTERS = 200;

/** The fault of a new password; null if there is none. Only its length is checked. */
export const passwordFault = (password: string): string | null => {
  const characters = Array.from(password).length;
  if (characters < MIN_PASSWORD_CHARACTERS)
    return `the password has ${characters} characters; use at least ${MIN_PASSWORD_CHARACTERS}`;
  if (characters > MAX_PASSWORD_CHARACTERS)
    return `the password has more than ${MAX_PASSWORD_CHARACTERS} characters; choose a shorter one`;
  return null;
};

/** The same for the new password of a user. */
export const newPasswordFault = (password: string, email: string): string | null =>
  passwordFault(password) ??
  (sameEmail(password, email) ? "the password is the email address; choose another one" : null);

/** Emails are compared without regard to case. */
const sameEmail = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase();

/** Limit per account, including disabled and invited ones. */
export const MAX_USERS = 50;
