import type { Actor } from "../domain/account.js";
import type { Environment } from "../domain/api-key.js";

/** Who manages objects, and of which account only (null: any). Those of other accounts are not found. */
export interface Manager {
  readonly actor: Actor;
  readonly within: string | null;
}

/** The caller of a participant's request. */
export interface Caller {
  readonly accountId: string;
  readonly actor: Actor;
  readonly environment: Environment;
  /** Data visibility: systems see all sites of their account, people only displayed ones. */
  readonly sees: "own sites" | "displayed sites";
  /** Where the request came from, an IPv6 network being one place; set if many people share a key. */
  readonly place?: string;
  /** Changes with what kWh of the account's meters mean; absent if it was not looked up. */
  readonly kwhStamp?: number;
}

/** A key that identifies its account but is no longer accepted, or not here. */
export interface RefusedKey {
  readonly refused: "revoked" | "expired" | "environment" | "account_disabled";
  readonly accountId: string;
  readonly keyId: string;
  /** The key's environment. */
  readonly environment: Environment;
}

export const isKeyCaller = (found: KeyCaller | RefusedKey | null): found is KeyCaller =>
  found !== null && !("refused" in found);

/** A caller authenticated by an API key. */
export interface KeyCaller extends Caller {
  readonly keyId: string;
  /** When the key expires; null: never. */
  readonly expiresAt: Date | null;
  /** Many people use the key: the rate limit is per place. */
  readonly isShared?: true;
}
