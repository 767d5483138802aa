import { denied, invalid, isRefusal, notFound, type Result, tooMany } from "../domain/refusal.js";
import {
  isUseNoted,
  isValid,
  isWelcome,
  type NewSession,
  newSession,
  type Session,
  type Standing,
} from "../domain/session.js";
import type { SignInFailures } from "../domain/sign-in-limit.js";
import { acceptedSteps, TOTP_STEP_SECONDS } from "../domain/totp.js";
import type { User } from "../domain/user.js";
import type { UserPorts } from "./manage-users.js";
import type { Ports, Stores } from "./ports.js";
import type { Identity, TotpRecord, UserRecord } from "./user-ports.js";

/** Codes of authenticator apps. */
export interface TotpCodes {
  newSecret(): string;
  codeAt(secret: string, epochSeconds: number): string;
  /** What an app reads from a QR code. */
  uriOf(secret: string, email: string): string;
}

export type SessionPorts = UserPorts & { readonly totp: TotpCodes; readonly failures: SignInFailures };

/** A session that counts, and whose it is. */
export interface SignedIn {
  readonly user: User;
  readonly session: Session;
}

export type Browser = Pick<NewSession, "userAgent" | "address">;

export interface Credentials {
  readonly email: string;
  readonly password: string;
  readonly code: string | null;
}

export interface Started {
  readonly state: "signed_in";
  readonly user: User;
  readonly token: string;
  readonly session: Session;
}

export type SignInOutcome = Started | { readonly state: "totp_needed" };

const wrong = denied("Email, password or code is wrong; check them and try again.");

/** Signs in with a password. Unknown and disabled users are answered as a wrong password is, and as late. */
export const signIn = async (
  ports: SessionPorts,
  credentials: Credentials,
  browser: Browser,
): Promise<Result<SignInOutcome>> => {
  const { failures, clock } = ports;
  const attempt = { email: credentials.email, address: browser.address };
  const barredSeconds = failures.begin(attempt, clock.now().getTime());
  if (barredSeconds > 0) return tooMany("too many sign-ins have failed", barredSeconds);
  try {
    const outcome = await proven(ports, credentials, browser);
    if (isRefusal(outcome)) return outcome;
    if (outcome.state === "signed_in") failures.succeeded(attempt);
    else failures.takeBack(attempt);
    return outcome;
  } catch (error) {
    // A failure of ours is none of theirs.
    failures.takeBack(attempt);
    throw error;
  }
};

const proven = async (
  ports: SessionPorts,
  { email, password, code }: Credentials,
  browser: Browser,
): Promise<Result<SignInOutcome>> => {
  const record = await ports.stores.users.findByEmail(email);
  const passwordHash = record !== null && isWelcome(record) ? record.passwordHash : null;
  const isRight = await ports.passwords.verify(passwordHash, password);
  if (record === null || !isRight) return wrong;
  if (record.totp?.isConfirmed !== true) return startSession(ports, { record, step: null }, browser);
  if (code === null) return { state: "totp_needed" };
  const step = stepOf(ports, record.totp, code);
  return step === null ? wrong : startSession(ports, { record, step }, browser);
};

/** The step whose code this is; null when none is accepted now. */
const stepOf = ({ totp, clock }: SessionPorts, { secret, lastStep }: TotpRecord, code: string): number | null =>
  acceptedSteps(clock.now(), lastStep).find((step) => totp.codeAt(secret, step * TOTP_STEP_SECONDS) === code) ?? null;

/** A user who proved to be it, by which step's code if by one. */
interface Proof {
  readonly record: UserRecord;
  readonly step: number | null;
}

const startSession = (ports: SessionPorts, { record, step }: Proof, browser: Browser) =>
  ports.transact(async (stores): Promise<Result<Started>> => {
    const { user } = record;
    const now = await stores.users.lock(user.id, null);
    // What was proven may have been taken away meanwhile.
    if (now === null || !isWelcome(now) || now.passwordHash !== record.passwordHash) return wrong;
    if (step !== null && !(await stores.users.takeTotpStep(user.id, step))) return wrong;
    const at = ports.clock.now();
    const token = ports.tokens.newToken();
    const session = newSession({ id: ports.newId("ses"), userId: user.id, ...browser }, at);
    await stores.sessions.insert(session, ports.tokens.hashToken(token));
    await append(stores, { user, action: "session.create", id: session.id, at });
    return { state: "signed_in", user: now.user, token, session };
  });

interface OwnAct {
  readonly user: User;
  readonly action: string;
  readonly id: string;
  readonly at: Date;
}

const append = (stores: Stores, { user, action, id, at }: OwnAct): Promise<void> =>
  stores.audit.append({ actor: `user:${user.id}`, at }, action, { id, accountId: user.accountId }, {});

/** What a browser keeps while its user is with the provider of single sign-on. */
export interface SignOnSecrets {
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
}

/** What a provider of single sign-on says of somebody. */
export interface ProvenIdentity extends Identity {
  readonly email: string | null;
  readonly isEmailVerified: boolean;
}

/** The provider of single sign-on. */
export interface IdentityProvider {
  /** Where to send the browser, which comes back to `redirectUri`. */
  start(redirectUri: string): Promise<{ readonly url: string; readonly secrets: SignOnSecrets }>;
  /** Throws when what came back does not fit what was sent out. */
  finish(returned: URL, secrets: SignOnSecrets): Promise<ProvenIdentity>;
}

/** Signs in whom a provider knows: by what was bound before, else by a verified email, which is bound from then on. */
export const signInByIdentity = async (
  ports: SessionPorts,
  identity: ProvenIdentity,
  browser: Browser,
): Promise<Result<Started>> => {
  const { users } = ports.stores;
  const bound = await users.findByIdentity(identity);
  const record = bound ?? (await findUnbound(ports, identity));
  if (record === null || !isWelcome(record)) return unknownPerson;
  const isSet = bound !== null || (await bindIdentity(ports, record.user, identity));
  return isSet ? startSession(ports, { record, step: null }, browser) : unknownPerson;
};

const unknownPerson = denied("Nobody here has that email, or may sign in with it; ask an administrator to invite you.");

const findUnbound = async ({ stores }: SessionPorts, { email, isEmailVerified }: ProvenIdentity) => {
  if (email === null || !isEmailVerified) return null;
  const record = await stores.users.findByEmail(email);
  return record?.identity === null ? record : null;
};

const bindIdentity = async (
  { transact, clock }: Ports,
  user: User,
  { issuer, subject }: Identity,
): Promise<boolean> => {
  const bound = await transact(async (stores): Promise<Result<true>> => {
    if ((await stores.users.lock(user.id, null))?.identity !== null) return unknownPerson;
    await stores.users.bind(user.id, { issuer, subject });
    await append(stores, { user, action: "user.bind_oidc", id: user.id, at: clock.now() });
    return true;
  });
  return bound === true;
};

/** Whose session a token is of; null for one that is unknown, over or revoked, or of a user who may not sign in. */
export const identify = async (
  { stores, clock, tokens }: Pick<SessionPorts, "stores" | "clock" | "tokens">,
  token: string,
): Promise<SignedIn | null> => {
  const found: (Standing & { readonly session: Session }) | null = await stores.sessions.find(tokens.hashToken(token));
  const now = clock.now();
  if (found === null || !isWelcome(found) || !isValid(found.session, now)) return null;
  if (!isUseNoted(found.session, now)) await stores.sessions.touch(found.session.id, now);
  return found;
};

/** Ends a session of the user's own, from the next request on. */
export const revokeSession = ({ transact, clock }: Ports, user: User, id: string) =>
  transact(async (stores): Promise<Result<Session>> => {
    const at = clock.now();
    const session = await stores.sessions.revoke(user.id, id, at);
    if (session === null) return notFound("session");
    await append(stores, { user, action: "session.revoke", id, at });
    return session;
  });

export interface TotpSetup {
  readonly secret: string;
  readonly uri: string;
}

/** Makes a secret for an authenticator app; it counts once `confirmTotp` has seen a code of it. */
export const beginTotp = ({ transact, totp }: SessionPorts, { id, email }: User) =>
  transact(async (stores): Promise<Result<TotpSetup>> => {
    // A stolen session must not exchange the second factor.
    if ((await stores.users.lock(id, null))?.totp?.isConfirmed === true) return totpIsOn;
    const secret = totp.newSecret();
    await stores.users.saveTotp(id, secret);
    return { secret, uri: totp.uriOf(secret, email) };
  });

const totpIsOn = invalid("codes are asked for already; a new invitation link takes that off, ask an administrator");

export const confirmTotp = (ports: SessionPorts, user: User, code: string) =>
  ports.transact(async (stores): Promise<Result<true>> => {
    const record = (await stores.users.lock(user.id, null))?.totp ?? null;
    if (record === null) return invalid("no secret was made yet; send a request without a code first");
    if (record.isConfirmed) return totpIsOn;
    const step = stepOf(ports, record, code);
    if (step === null)
      return invalid("the code is not that of the secret; check the clock of the device and try again");
    const at = ports.clock.now();
    await stores.users.confirmTotp(user.id, at);
    await stores.users.takeTotpStep(user.id, step);
    await append(stores, { user, action: "user.confirm_totp", id: user.id, at });
    return true;
  });
