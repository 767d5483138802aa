import type { Ports } from "../../platform/ports.js";
import { notFound, type Result } from "../../platform/refusal.js";
import { endOf, isUseNoted, isValid, maySignIn, type Session, type Standing } from "../domain/session.js";
import type { User } from "../domain/user.js";
import type { AccessStores } from "./access-stores.js";
import type { Manager } from "./caller.js";
import type { SessionPorts, SignedIn } from "./sign-in-ports.js";
import type { Revocation } from "./user-ports.js";

/** The user of a session token; null if it is unknown, over or revoked, or if the user may not sign in. */
export const identify = async (
  { stores, clock, tokens }: Pick<SessionPorts, "stores" | "clock" | "tokens">,
  token: string,
): Promise<SignedIn | null> => {
  const found: (Standing & { readonly session: Session }) | null = await stores.sessions.find(tokens.hashToken(token));
  const now = clock.now();
  if (found === null || !maySignIn(found) || !isValid(found.session, now)) return null;
  if (!isUseNoted(found.session, now)) await stores.sessions.touch(found.session.id, now);
  return found;
};

/** Why the session of a token ended; only returned to the holder of the token. */
export const endOfSession = async (
  { stores, clock, tokens }: Pick<SessionPorts, "stores" | "clock" | "tokens">,
  token: string,
): Promise<ReturnType<typeof endOf>> => {
  const found = await stores.sessions.find(tokens.hashToken(token));
  return found === null ? null : endOf(found, clock.now());
};

/** Ends one of the user's own sessions, from the next request on. */
export const revokeSession = ({ transact, clock }: Ports<AccessStores>, user: User, id: string) =>
  transact(async (stores): Promise<Result<Session>> => {
    const at = clock.now();
    const session = await stores.sessions.revoke(user.id, id, { at, reason: "signed_out_elsewhere" });
    if (session === null) return notFound("session");
    const subject = { id, accountId: user.accountId };
    await stores.audit.append({ actor: `user:${user.id}`, at }, "session.revoke", subject, {});
    return session;
  });

/** Ends every session of a user and forgets the devices; the password stays. */
export const signOutEverywhere = (
  { transact, clock }: Ports<AccessStores>,
  { actor, within }: Manager,
  userId: string,
) =>
  transact(async (stores): Promise<Result<User>> => {
    const user = (await stores.users.lock(userId, within))?.user;
    if (user === undefined) return notFound("user");
    const at = clock.now();
    const reason = actor === `user:${userId}` ? "signed_out_elsewhere" : "signed_out_by_administrator";
    await stores.sessions.revokeAll(userId, { at, reason }, null);
    await stores.devices.forget(userId, null);
    await stores.audit.append({ actor, at }, "user.sign_out", user, {});
    return user;
  });

/** Ends sessions, voids links that could start new ones, deletes calendars and forgets devices. */
export const endAccess = async (
  stores: Pick<AccessStores, "calendars" | "devices" | "invitations" | "sessions">,
  userId: string,
  revocation: Revocation,
): Promise<void> => {
  await stores.sessions.revokeAll(userId, revocation, null);
  await stores.invitations.useAll(userId, revocation.at);
  await stores.calendars.removeAll(userId);
  await stores.devices.forget(userId, null);
};
