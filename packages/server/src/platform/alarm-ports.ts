import type { Alarm, AlarmKind, Condition } from "./alarm.js";
import type { Page, PageRequest } from "./page.js";

/** Filter of a list of alarms; `standing` are all that are not cleared, acknowledged or not. */
export type AlarmListing = "standing" | "open" | "acknowledged" | "cleared" | "all";

/** Whom to call: of an account, the first contact with a phone number or, without one, the first. */
export interface FirstContact {
  readonly name: string;
  readonly email: string;
  readonly phone: string | null;
}

/** An alarm with its account's current name, and the contact to call. */
export interface NamedAlarm extends Alarm {
  readonly accountName: string | null;
  readonly contact: FirstContact | null;
}

export interface AlarmStores {
  readonly alarms: AlarmStore;
}

export interface AlarmStore {
  /** Whether no other process is judging alarms; holds until the end of the transaction. */
  takeTurn(): Promise<boolean>;
  /** Everything of these kinds that is wrong now. */
  conditions(now: Date, kinds: readonly AlarmKind[]): Promise<readonly Condition[]>;
  /** Returns the alarms it raised. A standing alarm of the same kind and subject stays as it is. */
  raise(alarms: readonly Alarm[]): Promise<readonly Alarm[]>;
  clear(ids: readonly string[], at: Date): Promise<void>;
  /** Newest first. */
  list(listing: AlarmListing, page: PageRequest): Promise<Page<NamedAlarm>>;
  /** Of an account that may be null. */
  firstContact(accountId: string | null): Promise<FirstContact | null>;
  lock(id: string): Promise<Alarm | null>;
  saveNote(id: string, note: string): Promise<void>;
  saveAcknowledgement(alarm: Alarm): Promise<void>;
}
