import { invalid, type Result } from "../../platform/refusal.js";
import { newPasswordFault, type User } from "../domain/user.js";
import { type ProvingAgain, provenAgain } from "./prove-user.js";
import type { SessionPorts } from "./sign-in-ports.js";

/** Changes the user's own password; ends all other sessions and voids links to set one. */
export const changePassword = async (
  ports: SessionPorts,
  by: Omit<ProvingAgain, "withCode">,
  newPassword: string,
): Promise<Result<User>> => {
  const { user, session } = by.signedIn;
  const fault = newPasswordFault(newPassword, user.email);
  if (fault !== null) return invalid(fault);
  const device = by.browser.deviceToken;
  return provenAgain(ports, { ...by, withCode: false }, async (stores, _record, at) => {
    await stores.users.changePassword(user.id, await ports.passwords.hash(newPassword));
    await stores.sessions.revokeAll(user.id, { at, reason: "password_changed" }, session.id);
    await stores.invitations.useAll(user.id, at);
    await stores.devices.forget(user.id, device === null ? null : ports.tokens.hashToken(device));
    await stores.audit.append({ actor: `user:${user.id}`, at }, "user.change_password", user, {});
    return user;
  });
};
