import { type AlarmReason, alarmReasons, countedReason, reasonSentence } from "@curtail/contract/lists/alarm-causes";
import { say } from "@curtail/words/page";

interface Said {
  /** Of several alarms. */
  readonly counted: (n: number) => string;
  /** Of a single alarm, as a sentence. */
  readonly alone: string;
}

/** The reasons of the contract in the language of the page. */
export const saidReasons: Readonly<Record<AlarmReason, Said>> = {
  bounced: {
    counted: (n) => say("{n, plural, one {# email bounced} other {# emails bounced}}", { n }),
    alone: say("Its email bounced."),
  },
  deferred: {
    counted: (n) => say("{n, plural, one {# email is deferred} other {# emails are deferred}}", { n }),
    alone: say("Its email is deferred."),
  },
  failing: {
    counted: (n) => say("{n, plural, one {# email keeps failing} other {# emails keep failing}}", { n }),
    alone: say("Its email keeps failing."),
  },
  not_taken: {
    counted: (n) =>
      say("{n, plural, one {# email was not taken for a day} other {# emails were not taken for a day}}", { n }),
    alone: say("Its email was not taken for a day."),
  },
  no_mail_server: {
    counted: (n) =>
      say("{n, plural, one {# has no mail server to be reached by} other {# have no mail server to be reached by}}", {
        n,
      }),
    alone: say("The service has no mail server."),
  },
  no_channel: {
    counted: (n) => say("{n, plural, one {# has no channel} other {# have no channel}}", { n }),
    alone: say("It has no channel, and no contact."),
  },
  callback_failed: {
    counted: (n) => say("{n, plural, one {# callback failed} other {# callbacks failed}}", { n }),
    alone: say("Its callback failed."),
  },
  ven_error: {
    counted: (n) => say("{n, plural, one {# VEN reported an error} other {# VENs reported errors}}", { n }),
    alone: say("Its VEN reported an error."),
  },
  ven_silent: {
    counted: (n) => say("{n, plural, one {# VEN has not answered} other {# VENs have not answered}}", { n }),
    alone: say("Its VEN has not answered."),
  },
  disabled: {
    counted: (n) => say("{n, plural, one {# was disabled} other {# were disabled}}", { n }),
    alone: say("It was disabled."),
  },
  keyless: {
    counted: (n) => say("{n, plural, one {# has no API key left} other {# have no API key left}}", { n }),
    alone: say("It has no API key left."),
  },
  withdrawn: {
    counted: (n) => say("{n, plural, one {# site was withdrawn} other {# sites were withdrawn}}", { n }),
    alone: say("A site was withdrawn from the program."),
  },
};

const names = Object.keys(alarmReasons) as readonly AlarmReason[];

/** `12 emails bounced, 18 have no channel`, which the service writes in English; what a newer one adds stays so. */
export const reasonsSaid = (why: string): string =>
  why
    .split(", ")
    .map((part) => {
      const n = Number.parseInt(part, 10);
      const reason = names.find((name) => countedReason(name, n) === part);
      return reason === undefined ? part : saidReasons[reason].counted(n);
    })
    .join(", ");

/** The reason that a sentence of the service ends with; null without a known one. */
export const lastReasonSaid = (sentence: string): string | null => {
  const reason = names.find((name) => sentence.endsWith(` ${reasonSentence(name)}`));
  return reason === undefined ? null : saidReasons[reason].alone;
};
