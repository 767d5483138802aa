import type { Ports } from "../../platform/ports.js";
import type { NewSession, Session } from "../domain/session.js";
import type { SignInFailures } from "../domain/sign-in-limit.js";
import type { User } from "../domain/user.js";
import type { AccessStores } from "./access-stores.js";
import type { NoteRefused } from "./note-refused.js";

/** Makes tokens of links, sessions and devices, and recovery codes; only their hashes are stored. */
export interface Tokens {
  newToken(): string;
  newRecoveryCode(): string;
  hashToken(token: string): Buffer;
}

export interface Passwords {
  hash(password: string): Promise<string>;
  /** Takes as long where there is no hash, and answers false. */
  verify(hash: string | null, password: string): Promise<boolean>;
}

export type UserPorts = Ports<AccessStores> & { readonly tokens: Tokens; readonly passwords: Passwords };

/** Codes of authenticator apps. */
export interface TotpCodes {
  newSecret(): string;
  codeAt(secret: string, epochSeconds: number): string;
  /** What an app reads from a QR code. */
  uriOf(secret: string, email: string): string;
}

export type SessionPorts = UserPorts & {
  readonly totp: TotpCodes;
  readonly failures: SignInFailures;
  readonly noteRefused: NoteRefused;
};

/** A session that counts, and whose it is. */
export interface SignedIn {
  readonly user: User;
  readonly session: Session;
}

export interface Browser extends Pick<NewSession, "userAgent" | "address"> {
  /** What limits count the address as. */
  readonly place: string;
  /** What it kept of an earlier sign-in. */
  readonly deviceToken: string | null;
}

/** Of an authenticator app, or a recovery code in its stead; at most one of them. */
export interface Codes {
  readonly totp: string | null;
  readonly recoveryCode: string | null;
}
