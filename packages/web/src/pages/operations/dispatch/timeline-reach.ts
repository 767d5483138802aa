import type { operator } from "@curtail/contract";
import { say } from "@curtail/words/page";
import { clock } from "../../../format/time.js";

type Entry = operator.TimelineEntry;

/** Accounts that a channel notified: `3 accounts notified by webhook of change 2, the last at 14:05.` */
export const reachedWords = (entry: Entry, timeZone: string): string => {
  const { channel, account_name, count: n, modification_number, until } = entry;
  const values = {
    who: account_name ?? say("{n, plural, one {# account} other {# accounts}}", { n }),
    change: modification_number ?? 0,
    isLast: until === null ? "no" : "yes",
    time: until === null ? "" : clock(until, timeZone),
  };
  return channel === null ? notified(values) : by[channel](values);
};

interface Values extends Readonly<Record<string, string | number>> {
  readonly who: string;
  /** 0: the dispatch as it was issued. */
  readonly change: number;
  /** Whether `time` is that of the last one. */
  readonly isLast: string;
  readonly time: string;
}

const notified = (values: Values): string =>
  say(
    "{who} notified{change, plural, =0 {} other { of change #}}{isLast, select, yes {, the last at {time}} other {}}.",
    values,
  );

const by: Readonly<Record<NonNullable<Entry["channel"]>, (values: Values) => string>> = {
  rest: (values) =>
    say(
      "{who} notified over REST or on a page{change, plural, =0 {} other { of change #}}{isLast, select, yes {, the last at {time}} other {}}.",
      values,
    ),
  webhook: (values) =>
    say(
      "{who} notified by webhook{change, plural, =0 {} other { of change #}}{isLast, select, yes {, the last at {time}} other {}}.",
      values,
    ),
  openadr: (values) =>
    say(
      "{who} notified by their VEN{change, plural, =0 {} other { of change #}}{isLast, select, yes {, the last at {time}} other {}}.",
      values,
    ),
  openadr3: (values) =>
    say(
      "{who} notified by their VEN over OpenADR 3{change, plural, =0 {} other { of change #}}{isLast, select, yes {, the last at {time}} other {}}.",
      values,
    ),
  mail: (values) =>
    say(
      "{who} notified by mail{change, plural, =0 {} other { of change #}}{isLast, select, yes {, the last at {time}} other {}}.",
      values,
    ),
  sms: (values) =>
    say(
      "{who} notified by SMS{change, plural, =0 {} other { of change #}}{isLast, select, yes {, the last at {time}} other {}}.",
      values,
    ),
  voice: (values) =>
    say(
      "{who} notified by voice call{change, plural, =0 {} other { of change #}}{isLast, select, yes {, the last at {time}} other {}}.",
      values,
    ),
  chat: (values) =>
    say(
      "{who} notified in a chat room{change, plural, =0 {} other { of change #}}{isLast, select, yes {, the last at {time}} other {}}.",
      values,
    ),
  phone: (values) =>
    say(
      "{who} notified by phone{change, plural, =0 {} other { of change #}}{isLast, select, yes {, the last at {time}} other {}}.",
      values,
    ),
};
