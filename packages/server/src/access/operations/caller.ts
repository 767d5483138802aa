import type { Actor } from "../domain/account.js";
import type { Environment } from "../domain/api-key.js";

/** Who manages things, and of which account alone; null: of all. What is another's is not found. */
export interface Manager {
  readonly actor: Actor;
  readonly within: string | null;
}

/** The caller of a participant's request. */
export interface Caller {
  readonly accountId: string;
  readonly actor: Actor;
  readonly environment: Environment;
  /** Whose measured data is answered: systems see all sites of their account, people on pages those that are displayed. */
  readonly sees: "own sites" | "displayed sites";
  /** Where the request came from, an IPv6 network being one place; given where many people share a key. */
  readonly place?: string;
}

/** A key that proves who sent it, and lets nobody in any more, or not here. */
export interface RefusedKey {
  readonly refused: "revoked" | "expired" | "environment" | "account_disabled";
  readonly accountId: string;
  readonly keyId: string;
  /** That the key is of. */
  readonly environment: Environment;
}

export const isKeyCaller = (found: KeyCaller | RefusedKey | null): found is KeyCaller =>
  found !== null && !("refused" in found);

/** A caller proven by an API key. */
export interface KeyCaller extends Caller {
  readonly keyId: string;
  /** Many people use the key: each place has a rate of its own. */
  readonly isShared?: true;
}
