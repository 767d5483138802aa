import Type from "typebox";
import { endpoint } from "../endpoint.js";
import * as operator from "../operator-v1/user.js";
import { Email } from "../values.js";

const Role = Type.Enum(["participant-admin", "participant-viewer"], {
  description: "`participant-admin`: everything of the account. `participant-viewer`: read only.",
});

/** Users of the caller's own account. */
export const createOwnUser = endpoint({
  ...operator.createUser,
  id: "createOwnUser",
  body: Type.Object({ email: Email, name: operator.userName, role: Role }),
});
export const listOwnUsers = endpoint({ ...operator.listUsers, id: "listOwnUsers" });
const { email: _operatorsOnly, ...changeable } = operator.changeUser.body.properties;
export const changeOwnUser = endpoint({
  ...operator.changeUser,
  id: "changeOwnUser",
  description:
    "Members that are left out keep their value. Disabling a user ends all sessions at once. You cannot disable yourself or change your own role, and one administrator must remain; otherwise the reply is 400.",
  body: Type.Object({ ...changeable, role: Type.Optional(Role) }),
});
export const signOutOwnUser = endpoint({ ...operator.signOutUser, id: "signOutOwnUser" });
export const inviteOwnUser = endpoint({ ...operator.inviteUser, id: "inviteOwnUser" });
