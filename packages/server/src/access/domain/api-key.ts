export type Environment = "production" | "sandbox";

/** A stored API key: only its hash, never the key itself; no hash until it is claimed. */
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

/** Limit per account and environment, including unclaimed ones. */
export const MAX_KEYS = 100;

/** Limit per account and environment for the account's own users: the old and the new key during a change-over. */
export const MAX_OWN_KEYS = 2;

export type ApiKeyState = "unclaimed" | "active" | "revoked" | "expired";

/** A key that never expires has no time. */
export const isExpired = ({ expiresAt }: Pick<ApiKey, "expiresAt">, now: Date): boolean =>
  expiresAt !== null && expiresAt <= now;

export const stateOf = (key: ApiKey, now: Date): ApiKeyState => {
  if (key.revokedAt !== null) return "revoked";
  if (isExpired(key, now)) return "expired";
  if (key.claimedAt !== null) return "active";
  return key.claimExpiresAt <= now ? "expired" : "unclaimed";
};
