import type { EmailTrust } from "../../platform/email-trust.js";

/** Why single sign-on was refused (G71). */
export type SignOnFailure =
  | "single-sign-on"
  | "no-email"
  | "email-not-verified"
  | "unknown-email"
  | "disabled"
  | "linked-elsewhere"
  | "several-invitations";

export type Claims = Readonly<Record<string, unknown>>;

/**
 * The person's email as far as it may be trusted to find their user (G71), or why it may not. Names to sign in with, such as
 * `preferred_username` or `upn`, never count: they change hands.
 */
export const verifiedEmail = (
  claims: Claims,
  trust: EmailTrust,
): { readonly email: string } | { readonly failure: SignOnFailure } => {
  const { email, email_verified: mark } = claims;
  if (typeof email !== "string" || email.trim() === "") return { failure: "no-email" };
  return isTrusted(claims, mark, trust) ? { email: email.trim() } : { failure: "email-not-verified" };
};

/** An email that the provider marks as not verified stays so with any setting. */
const isTrusted = (claims: Claims, mark: unknown, trust: EmailTrust): boolean => {
  if (mark !== undefined) return isYes(mark);
  return trust === "all" || (trust !== "verified" && isYes(claims[trust.claim]));
};

/** Providers send it as a boolean, a text or, Entra ID's `xms_edov`, a number. */
const isYes = (value: unknown): boolean =>
  value === true || value === 1 || value === "1" || (typeof value === "string" && value.toLowerCase() === "true");
