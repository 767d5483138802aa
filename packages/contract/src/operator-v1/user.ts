import Type, { type Static } from "typebox";
import { NAME_CHARACTERS } from "../constants.js";
import { endpoint } from "../endpoint.js";
import { boolean, byId, Email, givenId, id, moment, nullable, string, text } from "../values.js";
import { PageQuery, pageOf } from "./list.js";

export const roles = ["operator-admin", "operator", "auditor", "participant-admin", "participant-viewer"] as const;

const Role = Type.Enum([...roles], {
  description:
    "`operator-admin`: everything. `operator`: everything but users. `auditor`: read only. `participant-admin`: everything of one account. `participant-viewer`: read only, of one account.",
  examples: ["operator"],
});

/** A person who signs in. */
export const User = Type.Object(
  {
    id: id("user"),
    email: string("Email address, with which the user signs in.", "ana@example.com"),
    name: string("Name of the person.", "Ana Lopez"),
    role: Role,
    account_id: nullable(givenId("account", "Account of a participant's user; null for an operator's.")),
    has_password: boolean("`false` until the invitation is accepted.", true),
    has_totp: boolean("`true`: signing in with the password requires a code of an authenticator app."),
    disabled: boolean("`true`: the user cannot sign in and has no sessions."),
    created_at: moment("When the user was created.", "created"),
  },
  { $id: "User", description: "A person who signs in." },
);
export type User = Static<typeof User>;

const invitation = {
  invitation_url: Type.String({
    format: "uri",
    description: "One-time link with which the user sets the password.",
    examples: ["https://dr.example.com/invitation/hV5kN2qX9sR7mC3w"],
  }),
  invitation_expires_at: moment("When the link expires.", "later"),
};
export const Invitation = Type.Object(invitation, {
  $id: "Invitation",
  description: "A one-time link to set the password.",
});
export const InvitedUser = Type.Object(
  { ...User.properties, ...invitation },
  { $id: "InvitedUser", description: "A user with the one-time link to set the password." },
);

export const userName = text(NAME_CHARACTERS, "Name of the person.", "Ana Lopez", 1);
const disabled = boolean("`true`: end all sessions and refuse to sign the user in.");

export const createUser = endpoint({
  id: "createUser",
  method: "POST",
  path: "/users",
  once: "within",
  tag: "Users",
  summary: "Create a user and an invitation",
  description:
    "Send the link to the person, who sets a password with it within 24 hours. The email belongs to the user once the link has been used: until then several accounts may invite it, and the first to accept gets it. An account may have 50 users.",
  body: Type.Object({
    email: Email,
    name: userName,
    role: Role,
    account_id: Type.Optional(
      nullable(givenId("account", "Account of a participant's user. Leave out for an operator's.")),
    ),
  }),
  reply: InvitedUser,
  status: 201,
});
export const listUsers = endpoint({
  id: "listUsers",
  method: "GET",
  path: "/users",
  tag: "Users",
  summary: "List users",
  description: "Returns the users you may manage, including disabled ones and those with an open invitation.",
  query: PageQuery,
  reply: pageOf(User),
});
export const getUser = endpoint({
  id: "getUser",
  method: "GET",
  path: "/users/{id}",
  tag: "Users",
  summary: "Retrieve a user",
  description: "Returns a user of the operator or of any account. A deleted user gets 404.",
  params: byId("user"),
  reply: User,
});
export const changeUser = endpoint({
  id: "changeUser",
  method: "PATCH",
  path: "/users/{id}",
  tag: "Users",
  summary: "Change a user",
  description:
    "Members that are left out keep their value. Disabling a user ends all sessions at once. A new email voids open invitations. You cannot disable yourself or change your own role, and one administrator must remain; otherwise the reply is 400.",
  params: byId("user"),
  body: Type.Object({
    name: Type.Optional(userName),
    email: Type.Optional(Email),
    role: Type.Optional(Role),
    disabled: Type.Optional(disabled),
  }),
  reply: User,
});
export const inviteUser = endpoint({
  id: "inviteUser",
  method: "POST",
  path: "/users/{id}/invitation",
  once: "within",
  tag: "Users",
  summary: "Create a new invitation for a user",
  description:
    "Voids earlier links. When the link is used, the user sets a new password, two-factor authentication and single sign-on are removed, and all sessions end. Use it for a forgotten password.",
  params: byId("user"),
  reply: Invitation,
  status: 201,
});
export const signOutUser = endpoint({
  id: "signOutUser",
  method: "POST",
  path: "/users/{id}/sign-out",
  once: "within",
  tag: "Users",
  summary: "End all sessions of a user",
  description: "The user is signed out on every browser at once and may sign in again.",
  params: byId("user"),
  status: 204,
});
export const deleteUser = endpoint({
  id: "deleteUser",
  method: "DELETE",
  path: "/users/{id}",
  tag: "Users",
  summary: "Delete a user",
  description:
    "All sessions end at once, and the email is free again. The audit log keeps the name. You cannot delete yourself or the last administrator.",
  params: byId("user"),
  status: 204,
});
