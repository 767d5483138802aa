import type { Alarm, AlarmKind, Condition } from "./alarm.js";
import type { Page, PageRequest } from "./page.js";

/** Filter of a list of alarms; `standing` are all that are not cleared, acknowledged or not. */
export type AlarmListing = "standing" | "open" | "acknowledged" | "cleared" | "all";

/** An alarm with its account's current name. */
export interface NamedAlarm extends Alarm {
  readonly accountName: string | null;
}

export interface AlarmStores {
  readonly alarms: AlarmStore;
}

export interface AlarmStore {
  /** Whether no other process is judging alarms; holds until the end of the transaction. */
  takeTurn(): Promise<boolean>;
  /** Everything that is wrong now, of all kinds unless some are named. One-time events are returned once. */
  conditions(now: Date, kinds?: readonly AlarmKind[]): Promise<readonly Condition[]>;
  standing(): Promise<readonly Alarm[]>;
  /** Returns the alarms it raised. A standing alarm of the same kind and subject stays as it is. */
  raise(alarms: readonly Alarm[]): Promise<readonly Alarm[]>;
  clear(alarms: readonly Alarm[]): Promise<void>;
  /** Newest first. */
  list(listing: AlarmListing, page: PageRequest): Promise<Page<NamedAlarm>>;
  lock(id: string): Promise<Alarm | null>;
  saveAcknowledgement(alarm: Alarm): Promise<void>;
}
