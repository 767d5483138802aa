import type { operator } from "@curtail/contract";
import { say } from "@curtail/words/page";
import { clock } from "../../../format/time.js";
import { channelTexts, type Reached } from "../../../parts/channel-texts.js";

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
  return channel === null ? notified(values) : channelTexts[channel].reached(values);
};

const notified = (values: Reached): string =>
  say(
    "{who} notified{change, plural, =0 {} other { of change #}}{isLast, select, yes {, the last at {time}} other {}}.",
    values,
  );
