import type { LanguageChoice } from "./language.js";
import type { User } from "./user.js";

/** A user signed in from one browser. */
export interface Session {
  readonly id: string;
  readonly userId: string;
  readonly createdAt: Date;
  readonly lastSeenAt: Date;
  /** Final: use does not extend it. */
  readonly expiresAt: Date;
  readonly revokedAt: Date | null;
  /** null if it is not revoked, or was revoked by an older version. */
  readonly revokedFor: RevocationReason | null;
  readonly userAgent: string;
  readonly address: string;
}

export type RevocationReason = "signed_out_elsewhere" | "signed_out_by_administrator" | "password_changed";

const MAX_IDLE_HOURS = 12;
const MAX_DAYS = 7;
const HOUR_MS = 3_600_000;
const NOTED_EVERY_MS = 60_000;
const MAX_USER_AGENT_CHARACTERS = 200;

export type NewSession = Pick<Session, "id" | "userId" | "userAgent" | "address">;

export const newSession = (of: NewSession, now: Date): Session => ({
  ...of,
  userAgent: printable(of.userAgent).slice(0, MAX_USER_AGENT_CHARACTERS),
  createdAt: now,
  lastSeenAt: now,
  expiresAt: new Date(now.getTime() + MAX_DAYS * 24 * HOUR_MS),
  revokedAt: null,
  revokedFor: null,
});

const printable = (text: string): string => text.replaceAll(/[^\x20-\x7e]/g, "?");

/** A session is valid only if it was seen after this moment. */
export const idleSince = (now: Date): Date => new Date(now.getTime() - MAX_IDLE_HOURS * HOUR_MS);

/** Whether a session is valid: not revoked, idle for too long or expired. */
export const isValid = ({ revokedAt, lastSeenAt, expiresAt }: Session, now: Date): boolean =>
  revokedAt === null && expiresAt > now && lastSeenAt > idleSince(now);

/** Use is recorded once a minute, to avoid a write per request. */
export const isUseNoted = ({ lastSeenAt }: Session, now: Date): boolean =>
  now.getTime() - lastSeenAt.getTime() < NOTED_EVERY_MS;

/** What checks of sign-ins and sessions need to know about a user. */
export interface Standing {
  readonly user: User;
  readonly accountDisabled: boolean;
  readonly language: LanguageChoice;
}

/** Whether the user may be signed in at all. */
export const maySignIn = ({ user, accountDisabled }: Standing): boolean => !user.disabled && !accountDisabled;

/** Why a session is invalid; null if it is valid or the reason was not recorded. */
export const endOf = (
  { session, ...standing }: Standing & { readonly session: Session },
  now: Date,
): RevocationReason | "expired" | null => {
  if (session.revokedAt !== null) return session.revokedFor;
  if (!maySignIn(standing)) return "signed_out_by_administrator";
  return isValid(session, now) ? null : "expired";
};
