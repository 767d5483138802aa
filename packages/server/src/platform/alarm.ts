export type AlarmKind =
  | "notice_undelivered"
  | "notice_failed"
  | "mail_stuck"
  | "last_webhook_deleted"
  | "certificate_expiring"
  | "ven_silent"
  | "ven_unacknowledged"
  | "ven_error"
  | "ven_opted_out"
  | "telemetry_stale"
  | "disk_low";

/** Something that needs a person, as it was found just now. */
export interface Condition {
  readonly kind: AlarmKind;
  /** Id of what is wrong: a dispatch, a mail, an account. */
  readonly subject: string;
  /** null where it is not one account's. */
  readonly accountId: string | null;
  /** What is wrong and what to do. */
  readonly message: string;
}

/** A condition from when it was first found until it is over: one alarm, however often it is found meanwhile. */
export interface Alarm extends Condition {
  readonly id: string;
  readonly raisedAt: Date;
  readonly acknowledgedAt: Date | null;
  readonly clearedAt: Date | null;
}

/** How long a notice may be due before somebody has to look (reliability R9). */
export const UNDELIVERED_MS = 15_000;

/** These are over when somebody has seen them, who does what the service could not. */
const overOnceSeen: ReadonlySet<AlarmKind> = new Set(["notice_failed", "ven_opted_out"]);

export interface Verdict {
  readonly raise: readonly Condition[];
  readonly clear: readonly Alarm[];
}

/** Raises alarms for new findings, and clears alarms whose finding is gone. */
export const judged = (standing: readonly Alarm[], found: readonly Condition[]): Verdict => {
  const [known, holding] = [new Set(standing.map(identity)), new Set(found.map(identity))];
  return {
    raise: found.filter((condition) => !known.has(identity(condition))),
    clear: standing.filter((alarm) => !holding.has(identity(alarm))),
  };
};

const identity = ({ kind, subject }: Condition): string => `${kind} ${subject}`;

/** Somebody has seen it; the same object when somebody had before. */
export const acknowledged = (alarm: Alarm, now: Date): Alarm => {
  if (alarm.acknowledgedAt !== null) return alarm;
  const clearedAt = alarm.clearedAt ?? (overOnceSeen.has(alarm.kind) ? now : null);
  return { ...alarm, acknowledgedAt: now, clearedAt };
};
