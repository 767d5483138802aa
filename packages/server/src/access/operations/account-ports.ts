import type { Page, PageRequest } from "../../platform/page.js";
import type { Account, Contact } from "../domain/account.js";
import type { ApiKey, Environment } from "../domain/api-key.js";

/** A name that an account had until it was changed. */
export interface FormerName {
  readonly accountId: string;
  readonly name: string;
  readonly until: Date;
}

export interface AccountStore {
  insert(account: Account): Promise<void>;
  find(id: string): Promise<Account | null>;
  /** Locks the row until the end of the transaction. */
  lock(id: string): Promise<Account | null>;
  save(account: Account): Promise<void>;
  list(page: PageRequest): Promise<Page<Account>>;
  named(names: readonly string[]): Promise<readonly Account[]>;
  /** Names by id. */
  /** Names of all accounts. */
  names(): Promise<readonly string[]>;
  namesOf(ids: readonly string[]): Promise<ReadonlyMap<string, string>>;
  /** Names that they had before, each with the time of its change, oldest first. */
  formerNamesOf(ids: readonly string[]): Promise<readonly FormerName[]>;
  /** Whether there is a demo; none is started until the end of the transaction. */
  hasDemo(): Promise<boolean>;
  /** Waits for other imports; held until the end of the transaction. */
  takeImportTurn(): Promise<void>;
}

export interface ContactStore {
  insert(contact: Contact): Promise<void>;
  /** `within` limits it to an account, here and below; null: any. */
  find(id: string, within: string | null): Promise<Contact | null>;
  remove(id: string, within: string | null): Promise<Contact | null>;
  list(accountId: string, page: PageRequest): Promise<Page<Contact>>;
}

/** What checking a key needs. */
export interface KeyRecord {
  readonly key: ApiKey;
  readonly secretHash: Buffer | null;
  readonly accountDisabled: boolean;
  /** Changes with what kWh of the account's meters mean. */
  readonly kwhStamp: number;
}

export interface KeyStore {
  insert(key: ApiKey, claimTokenHash: Buffer): Promise<void>;
  /** The key that an unused link reveals, locked. */
  findUnclaimed(claimTokenHash: Buffer, now: Date): Promise<ApiKey | null>;
  claim(id: string, secretHash: Buffer, now: Date): Promise<void>;
  find(id: string): Promise<KeyRecord | null>;
  /** Those of the keys that are accepted at a moment. */
  accepted(ids: readonly string[], now: Date): Promise<readonly string[]>;
  /** `within` limits it to an account; null: any. */
  revoke(id: string, within: string | null, now: Date): Promise<ApiKey | null>;
  /** Number of keys that are active or unclaimed. */
  countStanding(accountId: string, environment: Environment, now: Date): Promise<number>;
  list(accountId: string, page: PageRequest): Promise<Page<ApiKey>>;
  touch(ids: readonly string[], now: Date): Promise<void>;
}
