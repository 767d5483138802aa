import { invalid, isRefusal, notFound, type Result } from "../domain/refusal.js";
import { INVITATION_HOURS, isParticipantRole, maySwitch, passwordFault, sameEmail, type User } from "../domain/user.js";
import { changesNothing } from "./changes-nothing.js";
import type { Manager, Ports, Stores } from "./ports.js";
import type { UserInvitation } from "./user-ports.js";

/** Makes tokens of links and sessions; only their hashes are stored. */
export interface Tokens {
  newToken(): string;
  hashToken(token: string): Buffer;
}

export interface Passwords {
  hash(password: string): Promise<string>;
  /** Takes as long where there is no hash, and answers false. */
  verify(hash: string | null, password: string): Promise<boolean>;
}

export type UserPorts = Ports & { readonly tokens: Tokens; readonly passwords: Passwords };

export type NewUser = Pick<User, "email" | "name" | "role" | "accountId">;

export interface Invited {
  readonly token: string;
  readonly expiresAt: Date;
}

/** Creates a user, who can sign in once the password is set through the one-time link. */
export const createUser = ({ transact, clock, newId, tokens }: UserPorts, { actor, within }: Manager, input: NewUser) =>
  transact(async (stores): Promise<Result<{ user: User; invited: Invited }>> => {
    if (isParticipantRole(input.role) !== (input.accountId !== null)) {
      return invalid("account_id is to be given with participant-admin and participant-viewer, and with no other role");
    }
    if (input.accountId !== null && (await accountWithin(stores, input.accountId, within)) === null) {
      return invalid("account_id names no account; check the id");
    }
    const at = clock.now();
    const user = newUser(input, { id: newId("usr"), at });
    if (!(await stores.users.insert(user))) return emailTaken;
    const invited = await invitationOf(stores, { tokens, userId: user.id, at });
    await stores.audit.append({ actor, at }, "user.create", user, { after: user });
    return { user, invited };
  });

const emailTaken = invalid("email is that of another user already; take another one");

const accountWithin = async (stores: Stores, id: string, within: string | null) =>
  within === null || within === id ? stores.accounts.find(id) : null;

const newUser = (input: NewUser, { id, at }: { readonly id: string; readonly at: Date }): User => ({
  id,
  ...input,
  hasPassword: false,
  hasTotp: false,
  disabled: false,
  createdAt: at,
});

export type UserChange = Partial<Pick<User, "name" | "role" | "disabled">>;

export const changeUser = ({ transact, clock }: Ports, manager: Manager, id: string, change: UserChange) =>
  transact(async (stores): Promise<Result<User>> => {
    const before = (await stores.users.lock(id, manager.within))?.user;
    if (before === undefined || changesNothing(before, change)) return before ?? notFound("user");
    const after = { ...before, ...change };
    const at = clock.now();
    const fault = changeFault(manager, before, after);
    if (fault !== null) return invalid(fault);
    await stores.users.save(after);
    if (after.disabled) await endAccess(stores, id, at);
    await stores.audit.append({ actor: manager.actor, at }, "user.change", after, { before, after });
    return after;
  });

const changeFault = ({ actor }: Manager, before: User, after: User): string | null => {
  if (!maySwitch(before.role, after.role)) {
    return "role is of the other side: operators and participants do not change sides; create another user";
  }
  // Else nobody might be left who can undo it.
  const isOwn = actor === `user:${before.id}` && (before.role !== after.role || after.disabled);
  return isOwn ? "you cannot disable yourself or change your own role; ask another administrator" : null;
};

/** Ends sessions, and voids links that would start new ones. */
const endAccess = async (stores: Stores, userId: string, at: Date): Promise<void> => {
  await stores.sessions.revokeAll(userId, at);
  await stores.invitations.useAll(userId, at);
};

/** Makes a new one-time link; those before are void. */
export const inviteUser = ({ transact, clock, tokens }: UserPorts, { actor, within }: Manager, id: string) =>
  transact(async (stores): Promise<Result<Invited>> => {
    const user = (await stores.users.lock(id, within))?.user;
    if (user === undefined) return notFound("user");
    if (user.disabled) return invalid("the user is disabled; enable the user first");
    const at = clock.now();
    await stores.invitations.useAll(id, at);
    const invited = await invitationOf(stores, { tokens, userId: id, at });
    await stores.audit.append({ actor, at }, "user.invite", user, {});
    return invited;
  });

/** Makes the link for the first operator-admin; null where there are users. */
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

const invitationOf = async (stores: Stores, { tokens, userId, at }: NewInvitation): Promise<Invited> => {
  const token = tokens.newToken();
  const expiresAt = new Date(at.getTime() + INVITATION_HOURS * 3_600_000);
  const invitation: UserInvitation = { userId, createdAt: at, expiresAt };
  await stores.invitations.insert(invitation, tokens.hashToken(token));
  return { token, expiresAt };
};

const gone = notFound("link");

/** Sets the password of the invited user, as for a new one; not found for a used, expired or unknown link alike. */
export const acceptInvitation = async (ports: UserPorts, token: string, password: string): Promise<Result<User>> => {
  // Before the link is looked up: what is wrong with the password alone says nothing of the link.
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

/** Creates the first operator-admin, as long as there is no user. */
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

interface NewPassword {
  readonly user: User;
  readonly password: string;
  readonly at: Date;
}

const setPassword = async (
  { passwords }: UserPorts,
  stores: Stores,
  { user, password, at }: NewPassword,
): Promise<Result<User>> => {
  if (sameEmail(password, user.email)) return invalid("the password is the email; take another one");
  await stores.users.startAnew(user.id, await passwords.hash(password));
  await endAccess(stores, user.id, at);
  await stores.audit.append({ actor: `user:${user.id}`, at }, "user.set_password", user, {});
  return { ...user, hasPassword: true, hasTotp: false };
};
