import type { AlarmReason } from "@curtail/contract/lists/alarm-causes";
import { type AlarmKind, alarmWords } from "@curtail/contract/lists/alarms";

export {
  type AlarmCause,
  type AlarmReason,
  alarmCauseNames,
  alarmCauses,
  causeWords,
  countedReason,
  reasonSentence,
} from "@curtail/contract/lists/alarm-causes";
export { type AlarmKind, alarmKinds, alarmsThat, alarmWords } from "@curtail/contract/lists/alarms";

/** A problem just found that needs a person. */
export interface Condition {
  readonly kind: AlarmKind;
  /** Id of the dispatch, email, account or other object concerned. */
  readonly subject: string;
  /** null if it does not belong to one account. */
  readonly accountId: string | null;
  /** What is wrong and what to do. */
  readonly message: string;
  /** Why, of a kind that has several reasons; groups count them. */
  readonly reason?: AlarmReason | null;
}

/** A condition from its first finding until it is over: one alarm, however often it is found. */
export interface Alarm extends Condition {
  readonly id: string;
  readonly raisedAt: Date;
  readonly acknowledgedAt: Date | null;
  /** What an operator noted about it. */
  readonly note: string | null;
  readonly clearedAt: Date | null;
}

/** What people do to the alarms of a group. */
export type AlarmGroupAct = "acknowledge" | "unacknowledge" | "assign" | "shelve" | "unshelve";

/** Alarms of a group to which somebody did something; what did not change is absent. */
export interface AttendedAlarms {
  readonly alarms: number;
  /** The first of them. */
  readonly alarmIds: readonly string[];
  readonly acknowledgedAt?: Date | null;
  readonly assignedTo?: string | null;
  readonly shelvedUntil?: Date | null;
}

/** How long a notice may be due before a person has to look (reliability R9). */
export const UNDELIVERED_MS = 15_000;

/** What makes an alarm and a finding the same. */
interface Identified {
  readonly kind: string;
  readonly subject: string;
}

export interface Verdict<Standing extends Identified> {
  readonly raise: readonly Condition[];
  readonly clear: readonly Standing[];
}

/** Raises alarms for new findings, and clears alarms whose finding is gone. */
export const reconcile = <Standing extends Identified>(
  standing: readonly Standing[],
  found: readonly Condition[],
): Verdict<Standing> => {
  const [known, holding] = [new Set(standing.map(identity)), new Set(found.map(identity))];
  return {
    raise: found.filter((condition) => !known.has(identity(condition))),
    clear: standing.filter((alarm) => !holding.has(identity(alarm))),
  };
};

const identity = ({ kind, subject }: Identified): string => `${kind} ${subject}`;

/** Of these, an acknowledgement is the end. */
const endsOnceSeen = ({ kind }: Pick<Alarm, "kind">): boolean => alarmWords(kind)?.endsOnceSeen === true;

/**
 * Acknowledges an alarm; returns the same object if that changes nothing. One that was acknowledged with its group, and ends once it
 * is seen, ends now.
 */
export const acknowledged = (alarm: Alarm, now: Date): Alarm => {
  const ends = endsOnceSeen(alarm) && alarm.clearedAt === null;
  if (alarm.acknowledgedAt !== null && !ends) return alarm;
  return { ...alarm, acknowledgedAt: alarm.acknowledgedAt ?? now, clearedAt: ends ? now : alarm.clearedAt };
};
