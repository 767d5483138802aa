import type { operator } from "@curtail/contract";
import { formatTimestamp } from "../../platform/timestamp.js";
import { type ApiKey, stateOf } from "../domain/api-key.js";
import type { IssuedKey } from "../operations/manage-keys.js";

const orNull = (at: Date | null): string | null => (at === null ? null : formatTimestamp(at));

export const keyToWire = (key: ApiKey, now: Date): operator.ApiKey => ({
  id: key.id,
  environment: key.environment,
  state: stateOf(key, now),
  created_at: formatTimestamp(key.createdAt),
  claimed_at: orNull(key.claimedAt),
  expires_at: orNull(key.expiresAt),
  revoked_at: orNull(key.revokedAt),
  last_used_at: orNull(key.lastUsedAt),
});

/** An issued key with its one-time link. */
export const issuedToWire = ({ key, claimToken }: IssuedKey, publicUrl: string) => ({
  id: key.id,
  environment: key.environment,
  claim_url: `${publicUrl}/claim/${claimToken}`,
  claim_expires_at: formatTimestamp(key.claimExpiresAt),
  expires_at: orNull(key.expiresAt),
});
