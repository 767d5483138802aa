interface Notifying {
  readonly at: Date;
  /** Whether there is a mail server; without one, no mails are created. */
  readonly hasMail: boolean;
}

/** Notices to persons, for everybody who wants them. */
export interface PeopleToNotify {
  /** Creates those of dispatch notices, by their numbers. */
  ofDispatchNotices(seqs: readonly number[], notifying: Notifying): Promise<void>;
  /** Creates those of alarms that were raised. */
  ofAlarms(ids: readonly string[], notifying: Notifying): Promise<void>;
  /** Creates those of alarms that are over, for the people notified of them. */
  ofEndedAlarms(ids: readonly string[], at: Date): Promise<void>;
}
