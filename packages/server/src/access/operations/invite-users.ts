import { invalid, isRefusal, notFound, type Result } from "../../platform/refusal.js";
import { INVITATION_HOURS, newPasswordFault, newUser, passwordFault, type User } from "../domain/user.js";
import type { AccessStores } from "./access-stores.js";
import type { Manager } from "./caller.js";
import { endAccess } from "./manage-sessions.js";
import type { Tokens, UserPorts } from "./sign-in-ports.js";
import type { UserInvitation } from "./user-ports.js";

export interface Invited {
  readonly token: string;
  readonly expiresAt: Date;
}

/** Creates a one-time link; earlier ones are void. */
export const inviteUser = ({ transact, clock, tokens }: UserPorts, { actor, within }: Manager, id: string) =>
  transact(async (stores): Promise<Result<{ user: User; invited: Invited }>> => {
    const user = (await stores.users.lock(id, within))?.user;
    if (user === undefined) return notFound("user");
    if (user.disabled) return invalid("the user is disabled; enable the user first");
    const at = clock.now();
    await stores.invitations.useAll(id, at);
    const invited = await invitationOf(stores, { tokens, userId: id, at });
    await stores.audit.append({ actor, at }, "user.invite", user, {});
    return { user, invited };
  });

/** Creates the link for the first operator-admin; null if there are users. */
export const inviteFirstUser = async ({ transact, clock, tokens }: UserPorts): Promise<Invited | null> => {
  const invited = await transact(async (stores): Promise<Result<Invited>> => {
    if (!(await stores.users.isEmpty())) return notFound("invitation");
    return invitationOf(stores, { tokens, userId: null, at: clock.now() });
  });
  return isRefusal(invited) ? null : invited;
};

interface NewInvitation {
  readonly tokens: Tokens;
  readonly userId: string | null;
  readonly at: Date;
}

/** A one-time link to set a password. */
export const invitationOf = async (stores: AccessStores, { tokens, userId, at }: NewInvitation): Promise<Invited> => {
  const token = tokens.newToken();
  const expiresAt = new Date(at.getTime() + INVITATION_HOURS * 3_600_000);
  const invitation: UserInvitation = { userId, createdAt: at, expiresAt };
  await stores.invitations.insert(invitation, tokens.hashToken(token));
  return { token, expiresAt };
};

const gone = notFound("link");

/** Sets the password of the invited user, as for a new one; used, expired and unknown links are all "not found". */
export const acceptInvitation = async (ports: UserPorts, token: string, password: string): Promise<Result<User>> => {
  // Checked before the link, so that a password fault reveals nothing about the link.
  const fault = passwordFault(password);
  if (fault !== null) return invalid(fault);
  return ports.transact(async (stores) => {
    const at = ports.clock.now();
    const tokenHash = ports.tokens.hashToken(token);
    const userId = (await stores.invitations.findUnused(tokenHash, at))?.userId ?? null;
    const user = userId === null ? undefined : (await stores.users.lock(userId, null))?.user;
    if (user === undefined || user.disabled) return gone;
    return setPassword(ports, stores, { user, password, at });
  });
};

export type FirstUser = Pick<User, "email" | "name">;

/** Creates the first operator-admin, if there is no user yet. */
export const acceptFirstInvitation = async (
  ports: UserPorts,
  token: string,
  { email, name, password }: FirstUser & { readonly password: string },
): Promise<Result<User>> => {
  const fault = passwordFault(password);
  if (fault !== null) return invalid(fault);
  return ports.transact(async (stores) => {
    const at = ports.clock.now();
    const tokenHash = ports.tokens.hashToken(token);
    const invitation = await stores.invitations.findUnused(tokenHash, at);
    if (invitation === null || invitation.userId !== null || !(await stores.users.isEmpty())) return gone;
    const user = newUser({ email, name, role: "operator-admin", accountId: null }, { id: ports.newId("usr"), at });
    await stores.users.insert(user);
    await stores.invitations.use(tokenHash, at);
    await stores.audit.append({ actor: `user:${user.id}`, at }, "user.create", user, { after: user });
    return setPassword(ports, stores, { user, password, at });
  });
};

const emailOfAnother = invalid(
  "this email address belongs to another user now; ask for an invitation to another address",
);

const setPassword = async (
  { passwords }: UserPorts,
  stores: AccessStores,
  { user, password, at }: { readonly user: User; readonly password: string; readonly at: Date },
): Promise<Result<User>> => {
  const fault = newPasswordFault(password, user.email);
  if (fault !== null) return invalid(fault);
  if (!(await stores.users.startAnew(user.id, await passwords.hash(password), at))) return emailOfAnother;
  await stores.recoveryCodes.replace(user.id, []);
  await endAccess(stores, user.id, { at, reason: "password_changed" });
  await stores.audit.append({ actor: `user:${user.id}`, at }, "user.set_password", user, {});
  return { ...user, hasPassword: true, hasTotp: false };
};
