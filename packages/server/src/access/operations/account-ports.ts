import type { Page, PageRequest } from "../../platform/page.js";
import type { Account, Contact } from "../domain/account.js";
import type { ApiKey, Environment } from "../domain/api-key.js";

export interface AccountStore {
  insert(account: Account): Promise<void>;
  find(id: string): Promise<Account | null>;
  /** Locks the row until the end of the transaction. */
  lock(id: string): Promise<Account | null>;
  save(account: Account): Promise<void>;
  list(page: PageRequest): Promise<Page<Account>>;
  named(names: readonly string[]): Promise<readonly Account[]>;
  /** Waits until nobody else imports; kept until the end of the transaction. */
  takeImportTurn(): Promise<void>;
}

export interface ContactStore {
  insert(contact: Contact): Promise<void>;
  /** Only of the account `within`, unless it is null. */
  remove(id: string, within: string | null): Promise<Contact | null>;
  list(accountId: string, page: PageRequest): Promise<Page<Contact>>;
}

/** What a key check needs to know. */
export interface KeyRecord {
  readonly key: ApiKey;
  readonly secretHash: Buffer | null;
  readonly accountDisabled: boolean;
}

export interface KeyStore {
  insert(key: ApiKey, claimTokenHash: Buffer): Promise<void>;
  /** The key that a link still waits to reveal, locked. */
  findUnclaimed(claimTokenHash: Buffer, now: Date): Promise<ApiKey | null>;
  claim(id: string, secretHash: Buffer, now: Date): Promise<void>;
  find(id: string): Promise<KeyRecord | null>;
  /** Only of the account `within`, unless it is null. */
  revoke(id: string, within: string | null, now: Date): Promise<ApiKey | null>;
  /** How many are active, or wait to be claimed. */
  countStanding(accountId: string, environment: Environment, now: Date): Promise<number>;
  list(accountId: string, page: PageRequest): Promise<Page<ApiKey>>;
  touch(ids: readonly string[], now: Date): Promise<void>;
}
