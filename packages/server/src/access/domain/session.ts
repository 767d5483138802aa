import type { User } from "./user.js";

/** A user signed in from one browser. */
export interface Session {
  readonly id: string;
  readonly userId: string;
  readonly createdAt: Date;
  readonly lastSeenAt: Date;
  /** However much it is used. */
  readonly expiresAt: Date;
  readonly revokedAt: Date | null;
  /** Why it was revoked; null in those of a former version. */
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

/** What a session was last seen after, if it still counts now. */
export const idleSince = (now: Date): Date => new Date(now.getTime() - MAX_IDLE_HOURS * HOUR_MS);

/** Whether a session counts: not revoked, not idle for long, not too old. */
export const isValid = ({ revokedAt, lastSeenAt, expiresAt }: Session, now: Date): boolean =>
  revokedAt === null && expiresAt > now && lastSeenAt > idleSince(now);

/** Use is recorded to the minute, to avoid a write for each request. */
export const isUseNoted = ({ lastSeenAt }: Session, now: Date): boolean =>
  now.getTime() - lastSeenAt.getTime() < NOTED_EVERY_MS;

/** A user as the check of a sign-in or a session sees it. */
export interface Standing {
  readonly user: User;
  readonly accountDisabled: boolean;
}

/** Whether somebody may be signed in at all. */
export const isWelcome = ({ user, accountDisabled }: Standing): boolean => !user.disabled && !accountDisabled;

/** Why a session does not count; null where it does, and where that was not kept. */
export const endOf = (
  { session, ...standing }: Standing & { readonly session: Session },
  now: Date,
): RevocationReason | "expired" | null => {
  if (session.revokedAt !== null) return session.revokedFor;
  if (!isWelcome(standing)) return "signed_out_by_administrator";
  return isValid(session, now) ? null : "expired";
};
