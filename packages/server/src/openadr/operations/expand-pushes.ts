/** VENs that may be due what other VENs got before. */
export interface ChangedVens {
  readonly venIds: readonly string[];
  /** Of these all. */
  readonly accountIds: readonly string[];
}

/** Writes what VENs with an address are to be pushed; what they got, or is written already, stays. */
export interface VenPushes {
  /** The current modification of dispatches that were notified. */
  ofDispatches(dispatchIds: readonly string[], at: Date): Promise<void>;
  /** All current dispatches of these. */
  ofVens(changed: ChangedVens, at: Date): Promise<void>;
  /** From the state alone; returns whether anything was missing. */
  rebuild(at: Date): Promise<boolean>;
}
