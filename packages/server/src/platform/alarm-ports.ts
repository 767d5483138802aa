import type { Alarm, AlarmKind, Condition } from "./alarm.js";
import type { Page, PageRequest } from "./page.js";

/** Filter of a list of alarms; `standing` are all that are not cleared, acknowledged or not. */
export type AlarmListing = "standing" | "open" | "acknowledged" | "shelved" | "cleared" | "all";

/** Alarms that stand, of some kinds, and of a dispatch or of none. */
export interface AlarmsInGroup {
  readonly kinds: readonly string[];
  readonly dispatchId: string | null;
}

export interface AlarmFilter {
  readonly listing: AlarmListing;
  /** null: of all. */
  readonly group: AlarmsInGroup | null;
  readonly now: Date;
}

/** Whom to call: of an account, the first contact with a phone number or, without one, the first. */
export interface FirstContact {
  readonly name: string;
  readonly email: string;
  readonly phone: string | null;
}

/** The dispatch that an alarm names, as people are told of it. */
export interface NamedDispatch {
  readonly programName: string;
  readonly timezone: string;
  readonly start: Date;
  readonly end: Date | null;
}

/** An alarm with its account's current name, and the contact to call. */
export interface NamedAlarm extends Omit<Alarm, "reason"> {
  /** One that a newer version added has no words here. */
  readonly reason: string | null;
  readonly accountName: string | null;
  readonly dispatchId: string | null;
  /** What groups it with others of its dispatch. */
  readonly cause: string;
  /** null: none, or it is gone. */
  readonly dispatch: NamedDispatch | null;
  /** null: nobody did, or an earlier version recorded it. */
  readonly acknowledgedBy: string | null;
  readonly assignedTo: string | null;
  /** null, or past: it is not shelved. */
  readonly shelvedUntil: Date | null;
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
  list(filter: AlarmFilter, page: PageRequest): Promise<Page<NamedAlarm>>;
  /** The same of one. */
  find(id: string): Promise<NamedAlarm | null>;
  lock(id: string): Promise<Alarm | null>;
  saveNote(id: string, note: string): Promise<void>;
  saveAcknowledgement(alarm: Alarm, by: string): Promise<void>;
}
