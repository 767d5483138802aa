import Type, { type Static } from "typebox";
import { userName } from "../operator-v1/user.js";
import { Email } from "../values.js";

/** What the page of an invitation sends, as a form or as JSON; the service checks the length of the password. */
export const AcceptInvitation = Type.Object({ password: Type.String({ maxLength: 400 }) });
export type AcceptInvitation = Static<typeof AcceptInvitation>;

/** The same for the first operator-admin. */
export const AcceptFirstInvitation = Type.Object({
  email: Email,
  name: userName,
  password: Type.String({ maxLength: 400 }),
});
export type AcceptFirstInvitation = Static<typeof AcceptFirstInvitation>;
