import type { Session, Standing } from "../domain/session.js";
import type { User } from "../domain/user.js";
import type { Page, PageRequest } from "./page.js";

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
  /** false when somebody has the email already. */
  insert(user: User): Promise<boolean>;
  find(id: string, within: string | null): Promise<User | null>;
  list(within: string | null, page: PageRequest): Promise<Page<User>>;
  /** Whether nobody is there; nobody comes until the end of the transaction. */
  isEmpty(): Promise<boolean>;
  findByEmail(email: string): Promise<UserRecord | null>;
  findByIdentity(identity: Identity): Promise<UserRecord | null>;
  lock(id: string, within: string | null): Promise<UserRecord | null>;
  save(user: User): Promise<void>;
  /** Sets a password as for a new user: codes and single sign-on are taken off. */
  startAnew(id: string, passwordHash: string): Promise<void>;
  bind(id: string, identity: Identity): Promise<void>;
  saveTotp(id: string, secret: string): Promise<void>;
  confirmTotp(id: string, at: Date): Promise<void>;
  /** Notes that a step's code was used; false when it was, or a later one. */
  takeTotpStep(id: string, step: number): Promise<boolean>;
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
  revoke(userId: string, id: string, now: Date): Promise<Session | null>;
  revokeAll(userId: string, now: Date): Promise<void>;
}
