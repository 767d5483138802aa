import Type, { type Static } from "typebox";
import { endpoint } from "../endpoint.js";
import { Email, id, nullable, Timestamp, text } from "../values.js";
import { byId, PageQuery, pageOf } from "./list.js";

export const roles = ["operator-admin", "operator", "auditor", "participant-admin", "participant-viewer"] as const;

const Role = Type.Enum([...roles], {
  description:
    "operator-admin: everything; operator: everything but users; auditor: reads all. participant-admin and participant-viewer: one account's.",
});

/** A person who signs in. */
export const User = Type.Object(
  {
    id: id("user", "User id."),
    email: Type.String(),
    name: Type.String(),
    role: Role,
    account_id: nullable(Type.String({ description: "The account of a participant's role; null of an operator's." })),
    has_password: Type.Boolean({ description: "false until the invitation is accepted." }),
    has_totp: Type.Boolean({ description: "true: signing in with the password takes a code of an authenticator app." }),
    disabled: Type.Boolean({ description: "true: may not sign in; sessions are ended." }),
    created_at: Timestamp,
  },
  { $id: "User" },
);
export type User = Static<typeof User>;

const invitation = {
  invitation_url: Type.String({ description: "One-time link: whoever opens it sets the password." }),
  invitation_expires_at: Timestamp,
};
export const Invitation = Type.Object(invitation, { $id: "Invitation" });
export const InvitedUser = Type.Object({ ...User.properties, ...invitation }, { $id: "InvitedUser" });

export const userName = text(200, "Name of the person.", 1);
const disabled = Type.Boolean({ description: "End all sessions, and refuse to sign in." });

export const createUser = endpoint({
  id: "createUser",
  method: "POST",
  path: "/users",
  once: "within",
  tag: "Users",
  summary: "Create a user and a one-time link to set the password",
  description:
    "The email belongs to the user once the link is used: until then several accounts may invite it, and the first to accept gets it. An account has at most 50 users.",
  body: Type.Object({
    email: Email,
    name: userName,
    role: Role,
    account_id: Type.Optional(
      nullable(Type.String({ description: "Account of a participant's role; left out for an operator's." })),
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
  query: PageQuery,
  reply: pageOf(User),
});
export const getUser = endpoint({
  id: "getUser",
  method: "GET",
  path: "/users/{id}",
  tag: "Users",
  summary: "Retrieve a user",
  params: byId,
  reply: User,
});
export const changeUser = endpoint({
  id: "changeUser",
  method: "PATCH",
  path: "/users/{id}",
  tag: "Users",
  summary: "Change name, email or role of a user, disable or enable the user",
  description: "A new email voids links that were sent to the one before.",
  params: byId,
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
  summary: "Make a new one-time link to set the password",
  description:
    "Links made before are void. Whoever uses the link sets a new password; TOTP and single sign-on are taken off and all sessions end.",
  params: byId,
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
  params: byId,
  status: 204,
});
export const deleteUser = endpoint({
  id: "deleteUser",
  method: "DELETE",
  path: "/users/{id}",
  tag: "Users",
  summary: "Delete a user",
  description: "Sessions end at once, and the email is free again. The audit log goes on naming the person.",
  params: byId,
  status: 204,
});
