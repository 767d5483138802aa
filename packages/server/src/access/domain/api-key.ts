export type Environment = "production" | "sandbox";

/** An API key as stored: never the key itself, only its hash; no hash until it is claimed. */
export interface ApiKey {
  readonly id: string;
  readonly accountId: string;
  readonly environment: Environment;
  readonly createdAt: Date;
  readonly claimExpiresAt: Date;
  readonly claimedAt: Date | null;
  readonly expiresAt: Date | null;
  readonly revokedAt: Date | null;
  readonly lastUsedAt: Date | null;
}

export const CLAIM_HOURS = 24;

/** What an account may have of an environment, links that wait to be opened included. */
export const MAX_KEYS = 100;

/** What an account may have of an environment by its own people: for a change-over, the old one and the new one. */
export const MAX_OWN_KEYS = 2;

export type ApiKeyState = "unclaimed" | "active" | "revoked" | "expired";

export const stateOf = (key: ApiKey, now: Date): ApiKeyState => {
  if (key.revokedAt !== null) return "revoked";
  if (key.expiresAt !== null && key.expiresAt <= now) return "expired";
  if (key.claimedAt !== null) return "active";
  return key.claimExpiresAt <= now ? "expired" : "unclaimed";
};
