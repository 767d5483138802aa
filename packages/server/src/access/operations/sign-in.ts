import { denied, isRefusal, type Result, tooMany } from "../../platform/refusal.js";
import { knownSince } from "../domain/device.js";
import type { LanguageChoice } from "../domain/language.js";
import { maySignIn, newSession, type Session } from "../domain/session.js";
import type { User } from "../domain/user.js";
import type { AccessStores } from "./access-stores.js";
import { bothCodes, hasBothCodes, type Spend, spendOf } from "./prove-user.js";
import type { Browser, Codes, SessionPorts } from "./sign-in-ports.js";
import type { UserRecord } from "./user-ports.js";

export interface Credentials extends Codes {
  readonly email: string;
  readonly password: string;
}

export interface Started {
  readonly state: "signed_in";
  readonly user: User;
  readonly language: LanguageChoice;
  readonly token: string;
  readonly session: Session;
  /** Stored by the browser, to identify the device. */
  readonly deviceToken: string;
}

export type SignInOutcome = Started | { readonly state: "totp_needed" };

const wrong = denied("Email, password or code is wrong; check them and try again.");

/** Signs in with a password. Unknown and disabled users get the same answer as a wrong password, in the same time. */
export const signIn = async (
  ports: SessionPorts,
  credentials: Credentials,
  browser: Browser,
): Promise<Result<SignInOutcome>> => {
  if (hasBothCodes(credentials)) return bothCodes;
  const { failures, clock, noteRefused } = ports;
  const { address } = browser;
  const device = await knownDevice(ports, credentials.email, browser);
  const attempt = { email: credentials.email, place: browser.place, device };
  const barredSeconds = failures.begin(attempt, clock.now().getTime());
  if (barredSeconds > 0) {
    noteRefused({ kind: "sign_in_barred", address, userId: null });
    return tooMany("too many sign-ins have failed", barredSeconds);
  }
  try {
    const outcome = await proven(ports, credentials, browser);
    if (outcome.state === "refused") {
      noteRefused({ kind: outcome.kind, address, userId: outcome.userId });
      return wrong;
    }
    if (outcome.state === "signed_in") failures.succeeded(attempt);
    else failures.takeBack(attempt);
    return outcome;
  } catch (error) {
    // Our own failures do not count.
    failures.takeBack(attempt);
    throw error;
  }
};

/** The device's name in the limits, if this email signed in from it before. */
const knownDevice = async (
  { stores, clock, tokens }: SessionPorts,
  email: string,
  { deviceToken }: Browser,
): Promise<string | null> => {
  if (deviceToken === null) return null;
  const hash = tokens.hashToken(deviceToken);
  return (await stores.devices.isKnown(hash, knownSince(clock.now()), email)) ? hash.toString("hex") : null;
};

/** The reason is logged but never returned. */
interface Refused {
  readonly state: "refused";
  readonly kind: "password" | "code";
  readonly userId: string | null;
}

const proven = async (
  ports: SessionPorts,
  { email, password, ...codes }: Credentials,
  browser: Browser,
): Promise<SignInOutcome | Refused> => {
  const record = await ports.stores.users.findByEmail(email);
  const passwordHash = record !== null && maySignIn(record) ? record.passwordHash : null;
  const isRight = await ports.passwords.verify(passwordHash, password);
  if (record === null || !isRight) return { state: "refused", kind: "password", userId: record?.user.id ?? null };
  const wrongCode = { state: "refused", kind: "code", userId: record.user.id } as const;
  if (record.totp?.isConfirmed !== true) return (await startSession(ports, { record }, browser)) ?? wrongCode;
  if (codes.totp === null && codes.recoveryCode === null) return { state: "totp_needed" };
  const spend = spendOf(ports, record, codes);
  if (spend === null) return wrongCode;
  const code = { spend, isRecovery: codes.recoveryCode !== null };
  return (await startSession(ports, { record, code }, browser)) ?? wrongCode;
};

/** An authenticated user, and the code used for it, if any. */
interface Proven {
  readonly record: UserRecord;
  readonly code?: { readonly spend: Spend; readonly isRecovery: boolean };
}

/** Starts a session; null if the credential was removed meanwhile or the code was used. */
export const startSession = async (
  ports: SessionPorts,
  { record, code }: Proven,
  browser: Browser,
): Promise<Started | null> => {
  const started = await ports.transact(async (stores): Promise<Result<Started>> => {
    const { user } = record;
    const now = await stores.users.lock(user.id, null);
    if (now === null || !maySignIn(now) || now.passwordHash !== record.passwordHash) return wrong;
    const at = ports.clock.now();
    if (code !== undefined && !(await code.spend(stores, at))) return wrong;
    const token = ports.tokens.newToken();
    const { userAgent, address } = browser;
    const session = newSession({ id: ports.newId("ses"), userId: user.id, userAgent, address }, at);
    await stores.sessions.insert(session, ports.tokens.hashToken(token));
    const deviceToken = await rememberDevice(ports, stores, { userId: user.id, brought: browser.deviceToken, at });
    const action = code?.isRecovery === true ? "session.create_by_recovery_code" : "session.create";
    const subject = { id: session.id, accountId: user.accountId };
    await stores.audit.append({ actor: `user:${user.id}`, at }, action, subject, {});
    return { state: "signed_in", user: now.user, language: now.language, token, session, deviceToken };
  });
  return isRefusal(started) ? null : started;
};

/** The browser's token is reused if it signed in before, so that several users can share a device. */
const rememberDevice = async (
  { tokens }: SessionPorts,
  stores: AccessStores,
  { userId, brought, at }: { readonly userId: string; readonly brought: string | null; readonly at: Date },
): Promise<string> => {
  const isKnown = brought !== null && (await stores.devices.isKnown(tokens.hashToken(brought), knownSince(at)));
  const token = isKnown ? brought : tokens.newToken();
  await stores.devices.remember(userId, tokens.hashToken(token), at);
  return token;
};
