import type { Clock } from "../../platform/clock.js";
import type { Ports } from "../../platform/ports.js";
import { invalid, notFound, type Refusal, type Result } from "../../platform/refusal.js";
import { type ApiKey, CLAIM_HOURS, type Environment, isExpired, MAX_KEYS, MAX_OWN_KEYS } from "../domain/api-key.js";
import type { AccessStores, KeyRecord, KeyStore } from "./access-stores.js";
import type { KeyCaller, Manager, RefusedKey } from "./caller.js";
import { refuseWhileRunning } from "./running-dispatches.js";

export type KeyStores = Pick<AccessStores, "accounts" | "audit" | "keys" | "running">;

/** Creates and parses the secrets of keys and links; only hashes are stored. */
export interface KeySecrets {
  newClaimToken(): string;
  hashClaimToken(token: string): Buffer;
  /** A complete API key for a key id, and the hash of its secret. */
  newApiKey(keyId: string, environment: Environment): { readonly apiKey: string; readonly secretHash: Buffer };
  /** Key id of a well-formed key of either environment; null otherwise. */
  keyIdOf(apiKey: string): string | null;
  /** Compares in constant time. */
  matches(apiKey: string, secretHash: Buffer): boolean;
}

export type KeyPorts = Ports<KeyStores> & { readonly secrets: KeySecrets };

export interface NewKey {
  readonly accountId: string;
  readonly environment: Environment;
  readonly expiresAt: Date | null;
}

export interface IssuedKey {
  readonly key: ApiKey;
  readonly claimToken: string;
}

/** Prepares a key; the key itself is created when its one-time link is claimed. */
export const issueKey = (
  { transact, clock, newId, secrets }: KeyPorts,
  { actor, within }: Manager,
  input: NewKey,
): Promise<Result<IssuedKey>> =>
  transact(async (stores) => {
    const at = clock.now();
    const refusal = await refuseKey(stores, input, { most: within === null ? MAX_KEYS : MAX_OWN_KEYS, at });
    if (refusal !== null) return refusal;
    if (isExpired(input, at)) return invalid("expires_at must be in the future");
    const claimExpiresAt = new Date(at.getTime() + CLAIM_HOURS * 3_600_000);
    const unused = { claimedAt: null, revokedAt: null, lastUsedAt: null };
    const key: ApiKey = { id: newId("key"), ...input, createdAt: at, claimExpiresAt, ...unused };
    const claimToken = secrets.newClaimToken();
    await stores.keys.insert(key, secrets.hashClaimToken(claimToken));
    await stores.audit.append({ actor, at }, "key.create", key, { after: key });
    return { key, claimToken };
  });

/** An account's own users may have as many as a change-over needs; operators may create more. */
const refuseKey = async (
  stores: KeyStores,
  { accountId, environment }: NewKey,
  { most, at }: { readonly most: number; readonly at: Date },
): Promise<Refusal | null> => {
  // The lock serialises counting and adding.
  if ((await stores.accounts.lock(accountId)) === null) return notFound("account");
  if ((await stores.keys.countStanding(accountId, environment, at)) < most) return null;
  const why = most === MAX_OWN_KEYS ? "a change-over takes" : "one may have";
  return invalid(
    `the account has ${most} ${environment} keys already, links that wait to be opened included, as many as ${why}; revoke one first`,
  );
};

/** Reveals a key once; null for a used, expired or unknown link. */
export const claimKey = async ({ transact, clock, secrets }: KeyPorts, claimToken: string): Promise<string | null> => {
  const claimed = await transact(async (stores) => {
    const at = clock.now();
    const found = await stores.keys.findUnclaimed(secrets.hashClaimToken(claimToken), at);
    if (found === null) return notFound("link");
    const { apiKey, secretHash } = secrets.newApiKey(found.id, found.environment);
    await stores.keys.claim(found.id, secretHash, at);
    await stores.audit.append({ actor: `key:${found.id}`, at }, "key.claim", found, {});
    return { apiKey };
  });
  return "apiKey" in claimed ? claimed.apiKey : null;
};

/** @param isConfirmed also while a dispatch of the account is in progress */
export const revokeKey = (
  { transact, clock }: Ports<KeyStores>,
  { actor, within }: Manager,
  id: string,
  isConfirmed: boolean,
) =>
  transact(async (stores): Promise<Result<ApiKey>> => {
    const at = clock.now();
    const key = await stores.keys.revoke(id, within, at);
    if (key === null) return notFound("key");
    const refusal = await refuseUsed(stores, key, { isConfirmed, at });
    if (refusal !== null) return refusal;
    await stores.audit.append({ actor, at }, "key.revoke", key, { after: key });
    return key;
  });

/** A refusal undoes the revocation. Only a system of production can miss anything of a dispatch. */
const refuseUsed = async (
  { running }: KeyStores,
  { accountId, environment, claimedAt }: ApiKey,
  { isConfirmed, at }: { readonly isConfirmed: boolean; readonly at: Date },
): Promise<Refusal | null> => {
  if (environment !== "production" || claimedAt === null) return null;
  const what = "revoke the key";
  return refuseWhileRunning({ what, running: await running.ofAccount(accountId, at), isConfirmed });
};

export interface AuthenticationPorts {
  readonly keys: Pick<KeyStore, "find">;
  readonly secrets: KeySecrets;
  readonly clock: Clock;
}

/** Identifies the caller (G1): null for an unknown key; a refusal names the account of a key that is, or was, known. */
export const authenticate = async (
  { keys, secrets, clock }: AuthenticationPorts,
  apiKey: string,
  environment: Environment,
): Promise<KeyCaller | RefusedKey | null> => {
  const id = secrets.keyIdOf(apiKey);
  const record = id === null ? null : await keys.find(id);
  if (record === null || record.secretHash === null || !secrets.matches(apiKey, record.secretHash)) return null;
  const { accountId, expiresAt } = record.key;
  const keyId = record.key.id;
  const refused = refusalOf(record, environment, clock.now());
  if (refused !== null) return { refused, accountId, keyId, environment: record.key.environment };
  const { kwhStamp } = record;
  return { accountId, actor: `key:${keyId}`, keyId, expiresAt, environment, sees: "own sites", kwhStamp };
};

const refusalOf = (
  { key, accountDisabled }: KeyRecord,
  environment: Environment,
  now: Date,
): RefusedKey["refused"] | null => {
  if (key.environment !== environment) return "environment";
  if (key.revokedAt !== null) return "revoked";
  if (isExpired(key, now)) return "expired";
  return accountDisabled ? "account_disabled" : null;
};
