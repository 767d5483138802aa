import Type from "typebox";
import { endpoint } from "../endpoint.js";
import * as operator from "../operator-v1/user.js";
import { Email } from "../values.js";

const Role = Type.Enum(["participant-admin", "participant-viewer"], {
  description: "participant-viewer only reads.",
});

/** Users of the caller's own account, as the operator's interface has all of them. */
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
  summary: "Rename, disable or enable a user, or change the role",
  body: Type.Object({ ...changeable, role: Type.Optional(Role) }),
});
export const signOutOwnUser = endpoint({ ...operator.signOutUser, id: "signOutOwnUser" });
export const inviteOwnUser = endpoint({ ...operator.inviteUser, id: "inviteOwnUser" });
