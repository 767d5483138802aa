import type { Page, PageRequest } from "../../platform/page.js";
import type { RevocationReason, Session, Standing } from "../domain/session.js";
import type { User } from "../domain/user.js";

/** A user with credentials. */
export interface UserRecord extends Standing {
  readonly passwordHash: string | null;
  readonly totp: TotpRecord | null;
  readonly identity: Identity | null;
}

export interface TotpRecord {
  readonly secret: string;
  /** Codes are asked for only once this is true. */
  readonly isConfirmed: boolean;
  readonly lastStep: number | null;
}

/** The identity at a provider of single sign-on. */
export interface Identity {
  readonly issuer: string;
  readonly subject: string;
}

/** `within` limits it to users of an account; null: all users. */
export interface UserStore {
  /** false if the account, or the operator, already has a user with the email. */
  insert(user: User): Promise<boolean>;
  find(id: string, within: string | null): Promise<User | null>;
  list(within: string | null, page: PageRequest): Promise<Page<User>>;
  /** Number of users of an account. */
  count(accountId: string): Promise<number>;
  /** Names of users, including deleted ones. */
  namesOf(ids: readonly string[]): Promise<ReadonlyMap<string, string>>;
  /** Whether there was never a user; none can be added until the end of the transaction. */
  isEmpty(): Promise<boolean>;
  /** The owner of an email: the user who accepted an invitation to it. */
  findByEmail(email: string): Promise<UserRecord | null>;
  /** Users with this email who have not accepted an invitation yet. */
  findInvited(email: string): Promise<readonly UserRecord[]>;
  findByIdentity(identity: Identity): Promise<UserRecord | null>;
  lock(id: string, within: string | null): Promise<UserRecord | null>;
  /** Locks the active administrators of an account, or the operator's; returns their ids. */
  lockAdmins(accountId: string | null): Promise<readonly string[]>;
  /** false if the email belongs to somebody else; the transaction must then be rolled back, here and below. */
  save(user: User): Promise<boolean>;
  /** Deletes a user's credentials for good; the name stays for the audit log. */
  remove(id: string, at: Date): Promise<void>;
  /** Sets the password of a new owner of the email: removes codes and single sign-on. */
  startAnew(id: string, passwordHash: string, at: Date): Promise<boolean>;
  changePassword(id: string, passwordHash: string): Promise<void>;
  bind(id: string, identity: Identity, at: Date): Promise<boolean>;
  saveTotp(id: string, secret: string): Promise<void>;
  confirmTotp(id: string, at: Date): Promise<void>;
  removeTotp(id: string): Promise<void>;
  dismissedHints(id: string): Promise<readonly string[]>;
  /** Puts a hint of the pages away, or shows it again. */
  setHint(id: string, hint: string, dismissed: boolean): Promise<void>;
  setLanguage(id: string, language: string | null): Promise<void>;
  /** Records that a step's code was used; false if it, or a later one, was used before. */
  takeTotpStep(id: string, step: number): Promise<boolean>;
}

/** One-time codes in place of an authenticator app; only hashes are stored. */
export interface RecoveryCodeStore {
  /** Voids the previous codes. */
  replace(userId: string, codeHashes: readonly Buffer[]): Promise<void>;
  /** false if the code does not exist or was used. */
  use(userId: string, codeHash: Buffer, at: Date): Promise<boolean>;
  /** Number of unused codes. */
  left(userId: string): Promise<number>;
}

/** Browsers of earlier sign-ins, by the hash of their cookie. */
export interface DeviceStore {
  /** Whether somebody signed in with it since a moment and, if given, with this email. */
  isKnown(tokenHash: Buffer, since: Date, email?: string): Promise<boolean>;
  remember(userId: string, tokenHash: Buffer, at: Date): Promise<void>;
  /** Forgets a user's devices, with one exception. */
  forget(userId: string, except: Buffer | null): Promise<void>;
}

export interface UserInvitation {
  /** null: invites the first operator-admin. */
  readonly userId: string | null;
  readonly createdAt: Date;
  readonly expiresAt: Date;
}

export interface InvitationStore {
  insert(invitation: UserInvitation, tokenHash: Buffer): Promise<void>;
  /** An invitation that can still be accepted, locked. */
  findUnused(tokenHash: Buffer, now: Date): Promise<UserInvitation | null>;
  use(tokenHash: Buffer, now: Date): Promise<void>;
  /** Voids a user's earlier invitations. */
  useAll(userId: string, now: Date): Promise<void>;
}

export interface SessionStore {
  insert(session: Session, tokenHash: Buffer): Promise<void>;
  find(tokenHash: Buffer): Promise<(Standing & { readonly session: Session }) | null>;
  touch(id: string, now: Date): Promise<void>;
  /** The valid ones, newest first. */
  list(userId: string, now: Date, page: PageRequest): Promise<Page<Session>>;
  revoke(userId: string, id: string, revocation: Revocation): Promise<Session | null>;
  /** Ends all sessions of a user, with one exception. */
  revokeAll(userId: string, revocation: Revocation, except: string | null): Promise<void>;
}

export interface Revocation {
  readonly at: Date;
  readonly reason: RevocationReason;
}
