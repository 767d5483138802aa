import type { Ports } from "../../platform/ports.js";
import type { LanguageChoice } from "../domain/language.js";
import type { NewSession, Session } from "../domain/session.js";
import type { SignInFailures } from "../domain/sign-in-limit.js";
import type { User } from "../domain/user.js";
import type { AccessStores } from "./access-stores.js";
import type { NoteRefused } from "./note-refused.js";

/** Creates tokens of links, sessions and devices, and recovery codes; only their hashes are stored. */
export interface Tokens {
  newToken(): string;
  newRecoveryCode(): string;
  hashToken(token: string): Buffer;
}

export interface Passwords {
  hash(password: string): Promise<string>;
  /** Without a hash takes as long and returns false. */
  verify(hash: string | null, password: string): Promise<boolean>;
}

export type UserPorts = Ports<AccessStores> & { readonly tokens: Tokens; readonly passwords: Passwords };

/** Codes of authenticator apps. */
export interface TotpCodes {
  newSecret(): string;
  codeAt(secret: string, epochSeconds: number): string;
  /** The URI for the app's QR code. */
  uriOf(secret: string, email: string): string;
}

export type SessionPorts = UserPorts & {
  readonly totp: TotpCodes;
  readonly failures: SignInFailures;
  readonly noteRefused: NoteRefused;
};

/** A valid session and its user. */
export interface SignedIn {
  readonly user: User;
  readonly language: LanguageChoice;
  readonly session: Session;
}

export interface Browser extends Pick<NewSession, "userAgent" | "address"> {
  /** The address that limits count by. */
  readonly place: string;
  /** The cookie of an earlier sign-in. */
  readonly deviceToken: string | null;
}

/** A code of an authenticator app, or a recovery code instead; at most one of them. */
export interface Codes {
  readonly totp: string | null;
  readonly recoveryCode: string | null;
}
