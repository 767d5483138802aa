import type { Page, PageRequest } from "../../platform/page.js";
import type { RevocationReason, Session, Standing } from "../domain/session.js";
import type { User } from "../domain/user.js";

/** A user with what proves who it is. */
export interface UserRecord extends Standing {
  readonly passwordHash: string | null;
  readonly totp: TotpRecord | null;
  readonly identity: Identity | null;
}

export interface TotpRecord {
  readonly secret: string;
  /** Until it is, no code is asked for. */
  readonly isConfirmed: boolean;
  readonly lastStep: number | null;
}

/** Who somebody is for a provider of single sign-on. */
export interface Identity {
  readonly issuer: string;
  readonly subject: string;
}

/** `within`: an account whose users alone are found; null for all users. */
export interface UserStore {
  /** false when the account, or the operator, has a user with the email already. */
  insert(user: User): Promise<boolean>;
  find(id: string, within: string | null): Promise<User | null>;
  list(within: string | null, page: PageRequest): Promise<Page<User>>;
  /** How many an account has. */
  count(accountId: string): Promise<number>;
  /** Names, of deleted users too. */
  namesOf(ids: readonly string[]): Promise<ReadonlyMap<string, string>>;
  /** Whether nobody was ever there; nobody comes until the end of the transaction. */
  isEmpty(): Promise<boolean>;
  /** The owner of an email: the user who accepted an invitation to it. */
  findByEmail(email: string): Promise<UserRecord | null>;
  /** Users with this email who have not accepted an invitation yet. */
  findInvited(email: string): Promise<readonly UserRecord[]>;
  findByIdentity(identity: Identity): Promise<UserRecord | null>;
  lock(id: string, within: string | null): Promise<UserRecord | null>;
  /** Locks the administrators of an account, or the operator's, who may sign in; answers their ids. */
  lockAdmins(accountId: string | null): Promise<readonly string[]>;
  /** false when the email belongs to somebody else; the transaction can only be rolled back then, here and below. */
  save(user: User): Promise<boolean>;
  /** Deletes for good what a user signs in with; the name stays for the audit log. */
  remove(id: string, at: Date): Promise<void>;
  /** Sets a password as for a new user, who has the email from then on: codes and single sign-on are taken off. */
  startAnew(id: string, passwordHash: string, at: Date): Promise<boolean>;
  changePassword(id: string, passwordHash: string): Promise<void>;
  bind(id: string, identity: Identity, at: Date): Promise<boolean>;
  saveTotp(id: string, secret: string): Promise<void>;
  confirmTotp(id: string, at: Date): Promise<void>;
  removeTotp(id: string): Promise<void>;
  /** Notes that a step's code was used; false when it was, or a later one. */
  takeTotpStep(id: string, step: number): Promise<boolean>;
}

/** One-time codes that stand in for those of an authenticator app; only hashes are stored. */
export interface RecoveryCodeStore {
  /** Those before no longer count. */
  replace(userId: string, codeHashes: readonly Buffer[]): Promise<void>;
  /** false when there is none such, or it was used. */
  use(userId: string, codeHash: Buffer, at: Date): Promise<boolean>;
  /** How many were not used yet. */
  left(userId: string): Promise<number>;
}

/** Browsers that were signed in with, by the hash of what they keep. */
export interface DeviceStore {
  /** Whether somebody signed in with it since then, and with this email where one is given. */
  isKnown(tokenHash: Buffer, since: Date, email?: string): Promise<boolean>;
  remember(userId: string, tokenHash: Buffer, at: Date): Promise<void>;
  /** Forgets a user's devices, but for one. */
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
  /** One that can still be accepted, locked. */
  findUnused(tokenHash: Buffer, now: Date): Promise<UserInvitation | null>;
  use(tokenHash: Buffer, now: Date): Promise<void>;
  /** Voids what a user was sent before. */
  useAll(userId: string, now: Date): Promise<void>;
}

export interface SessionStore {
  insert(session: Session, tokenHash: Buffer): Promise<void>;
  find(tokenHash: Buffer): Promise<(Standing & { readonly session: Session }) | null>;
  touch(id: string, now: Date): Promise<void>;
  /** Those that are valid, newest first. */
  list(userId: string, now: Date, page: PageRequest): Promise<Page<Session>>;
  revoke(userId: string, id: string, revocation: Revocation): Promise<Session | null>;
  /** Ends all sessions of a user, but for one. */
  revokeAll(userId: string, revocation: Revocation, except: string | null): Promise<void>;
}

export interface Revocation {
  readonly at: Date;
  readonly reason: RevocationReason;
}
