import type { Alarm, AlarmKind, Condition } from "../../platform/alarm.js";

/** An alarm that is not cleared. An earlier version may have had a kind that this one does not. */
export type StandingAlarm = Pick<Alarm, "id" | "subject" | "accountId"> & { readonly kind: string };

/** Alarms and their causes. */
export interface AlarmLook {
  readonly standing: readonly StandingAlarm[];
  readonly found: readonly Condition[];
  /** Whether there are mails to accounts that nothing reached in time, which may have been reached since. */
  readonly hasUnsettled: boolean;
  /** Those asked for, by name. */
  readonly settings: ReadonlyMap<string, string>;
}

export interface AlarmQuestion {
  readonly at: Date;
  readonly kinds: readonly AlarmKind[];
  /** Names of settings. */
  readonly settings: readonly string[];
}

export interface AlarmLookStore {
  /** Those that have rules. */
  readonly kinds: readonly AlarmKind[];
  /**
   * Evaluates the rules of some kinds, by one statement, or a second one if it shows that more may be wrong. Alarms are not read
   * after causes: one that is committed with its cause meanwhile is not taken for one that is over.
   */
  look(asked: AlarmQuestion): Promise<AlarmLook>;
}

export interface AlarmLookStores {
  readonly alarmLooks: AlarmLookStore;
}
