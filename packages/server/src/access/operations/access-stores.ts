import type { Page, PageRequest } from "../../platform/page.js";
import type { Account, Actor, Contact } from "../domain/account.js";
import type { ApiKey, Environment } from "../domain/api-key.js";
import type { AuditAction, AuditState, StoredState } from "../domain/audit.js";
import type { Calendar } from "../domain/calendar.js";
import type { Standing } from "../domain/session.js";
import type { RequestLogStore } from "./log-requests.js";
import type { RunningDispatches } from "./running-dispatches.js";
import type { DeviceStore, InvitationStore, RecoveryCodeStore, SessionStore, UserStore } from "./user-ports.js";

/** Stores of accounts, users and their credentials. */
export interface AccessStores {
  readonly accounts: AccountStore;
  readonly contacts: ContactStore;
  readonly keys: KeyStore;
  readonly users: UserStore;
  readonly invitations: InvitationStore;
  readonly sessions: SessionStore;
  readonly recoveryCodes: RecoveryCodeStore;
  readonly devices: DeviceStore;
  readonly calendars: CalendarStore;
  readonly audit: AuditStore;
  readonly requests: RequestLogStore;
  readonly running: RunningDispatches;
}

/** A name that an account had until it was changed. */
export interface FormerName {
  readonly accountId: string;
  readonly name: string;
  readonly until: Date;
}

export interface AccountStore {
  insert(accounts: readonly Account[]): Promise<void>;
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

export interface CalendarStore {
  insert(calendar: Calendar, tokenHash: Buffer): Promise<void>;
  find(tokenHash: Buffer): Promise<(Standing & { readonly calendar: Calendar }) | null>;
  /** Newest first. */
  list(userId: string, page: PageRequest): Promise<Page<Calendar>>;
  touch(id: string, now: Date): Promise<void>;
  remove(userId: string, id: string): Promise<Calendar | null>;
  removeAll(userId: string): Promise<void>;
}

/** Who acted, and when. */
export interface Act {
  readonly actor: Actor;
  readonly at: Date;
}

export interface AuditSubject {
  readonly id: string;
  readonly accountId: string | null;
}

/** State before and after; absent before a creation and after a deletion. */
interface AuditedChange<A extends AuditAction> {
  readonly before?: AuditState<A> | null;
  readonly after?: AuditState<A>;
}

/** An entry as written by any version. */
export interface AuditEntry extends Act {
  readonly id: string;
  readonly action: string;
  readonly subject: string;
  readonly accountId: string | null;
  readonly before: StoredState | null;
  readonly after: StoredState | null;
}

/** Filter of a list; null: no restriction. `to` is exclusive. */
export interface AuditFilter {
  readonly accountId: string | null;
  readonly actor: string | null;
  readonly action: string | null;
  readonly subject: string | null;
  readonly from: Date | null;
  readonly to: Date | null;
  /** Limit per list of a state; further elements are counted. */
  readonly mostElements: number;
}

/** An action on a subject. */
export type AuditedAct = {
  readonly [A in AuditAction]: {
    readonly action: A;
    readonly subject: AuditSubject;
    readonly change: AuditedChange<A>;
  };
}[AuditAction];

export interface AuditStore {
  append<A extends AuditAction>(act: Act, action: A, subject: AuditSubject, change: AuditedChange<A>): Promise<void>;
  /** Several actions of one act, in their order. */
  appendAll(act: Act, acts: readonly AuditedAct[]): Promise<void>;
  list(filter: AuditFilter, page: PageRequest): Promise<Page<AuditEntry>>;
}
