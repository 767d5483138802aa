import type { Alarm, AlarmKind, Condition } from "./alarm.js";
import type { Page, PageRequest } from "./page.js";

/** Which alarms a list holds; standing: those not cleared, acknowledged or not. */
export type AlarmListing = "standing" | "open" | "acknowledged" | "cleared" | "all";

/** An alarm as people read it. */
export interface NamedAlarm extends Alarm {
  /** Of its account now. */
  readonly accountName: string | null;
}

export interface AlarmStores {
  readonly alarms: AlarmStore;
}

export interface AlarmStore {
  /** Whether nobody else judges alarms; kept until the end of the transaction. */
  takeTurn(): Promise<boolean>;
  /** What is wrong now, of all kinds unless some are named. What happens once is answered once. */
  conditions(now: Date, kinds?: readonly AlarmKind[]): Promise<readonly Condition[]>;
  standing(): Promise<readonly Alarm[]>;
  /** Answers those raised; one of the same kind and subject that stands already stays as it is. */
  raise(alarms: readonly Alarm[]): Promise<readonly Alarm[]>;
  clear(alarms: readonly Alarm[]): Promise<void>;
  /** Newest first. */
  list(listing: AlarmListing, page: PageRequest): Promise<Page<NamedAlarm>>;
  lock(id: string): Promise<Alarm | null>;
  saveAcknowledgement(alarm: Alarm): Promise<void>;
}
