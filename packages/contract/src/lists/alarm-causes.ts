// Causes of a shortfall that alarms know, and the reasons that are counted. No imports: browsers load this file, not the schemas.

interface CauseWords {
  /** What of a dispatch it counts. */
  readonly of: "account" | "site";
  /** After `30 accounts`. */
  readonly words: string;
}

/** In the order in which a shortfall is attributed to them: a site counts for the first cause that it has. */
export const alarmCauses = {
  not_notified: { of: "account", words: "not notified" },
  opted_out: { of: "site", words: "opted out" },
  not_acknowledged: { of: "account", words: "did not acknowledge" },
  no_readings: { of: "site", words: "without readings" },
} as const satisfies Readonly<Record<string, CauseWords>>;

export type AlarmCause = keyof typeof alarmCauses;

export const alarmCauseNames = Object.keys(alarmCauses) as readonly AlarmCause[];

/** Words of a cause; null for a group of one kind, or a cause that a newer version added. */
export const causeWords = (cause: string): CauseWords | null =>
  Object.hasOwn(alarmCauses, cause) ? alarmCauses[cause as AlarmCause] : null;

interface ReasonWords {
  /** After `12`. */
  readonly many: string;
  /** After `1`. */
  readonly one: string;
  /** Of a single alarm, as a sentence. */
  readonly alone: string;
}

/** Why, of alarms that may have several reasons. */
export const alarmReasons = {
  bounced: { one: "email bounced", many: "emails bounced", alone: "Its email bounced." },
  deferred: { one: "email is deferred", many: "emails are deferred", alone: "Its email is deferred." },
  failing: { one: "email keeps failing", many: "emails keep failing", alone: "Its email keeps failing." },
  not_taken: {
    one: "email was not taken for a day",
    many: "emails were not taken for a day",
    alone: "Its email was not taken for a day.",
  },
  no_mail_server: {
    one: "has no mail server to be reached by",
    many: "have no mail server to be reached by",
    alone: "The service has no mail server.",
  },
  no_channel: { one: "has no channel", many: "have no channel", alone: "It has no channel, and no contact." },
  callback_failed: { one: "callback failed", many: "callbacks failed", alone: "Its callback failed." },
  ven_error: { one: "VEN reported an error", many: "VENs reported errors", alone: "Its VEN reported an error." },
  ven_silent: { one: "VEN has not answered", many: "VENs have not answered", alone: "Its VEN has not answered." },
  disabled: { one: "was disabled", many: "were disabled", alone: "It was disabled." },
  keyless: { one: "has no API key left", many: "have no API key left", alone: "It has no API key left." },
  withdrawn: {
    one: "site was withdrawn",
    many: "sites were withdrawn",
    alone: "A site was withdrawn from the program.",
  },
} as const satisfies Readonly<Record<string, ReasonWords>>;

export type AlarmReason = keyof typeof alarmReasons;

/** `12 emails bounced`; null for a reason that a newer version added. */
export const countedReason = (reason: string, count: number): string | null => {
  if (!Object.hasOwn(alarmReasons, reason)) return null;
  const { one, many } = alarmReasons[reason as AlarmReason];
  return `${count} ${count === 1 ? one : many}`;
};

/** `Its email bounced.`; null for a reason that a newer version added. */
export const reasonSentence = (reason: string): string | null =>
  Object.hasOwn(alarmReasons, reason) ? alarmReasons[reason as AlarmReason].alone : null;
