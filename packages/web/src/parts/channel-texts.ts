import type { AddressedChannel, Channel, ReachChannel } from "@curtail/contract/lists/channels";
import { say } from "@curtail/words/page";
import { count } from "../format/quantity.js";

/** Whom a channel notified, and when. */
export interface Reached extends Readonly<Record<string, string | number>> {
  readonly who: string;
  /** 0: the dispatch as it was issued. */
  readonly change: number;
  /** Whether `time` is that of the last one. */
  readonly isLast: string;
  readonly time: string;
}

interface Words {
  readonly title: string;
}

/** For a channel whose success counts as notifying the account. */
interface ReachWords extends Words {
  /** How many accounts it notified. */
  readonly by: (n: number) => string;
  readonly reached: (values: Reached) => string;
}

/** For a channel whose messages go to addresses that an account enters. */
interface AddressWords extends Words {
  readonly add: string;
  /** Where there is none yet. */
  readonly empty: string;
  /** Of the field for the address. */
  readonly label: string;
  readonly hint: string;
}

type WordsOf<Name extends Channel> = Words &
  (Name extends ReachChannel ? ReachWords : Words) &
  (Name extends AddressedChannel ? AddressWords : Words);

/** All that pages say of channels in the reader's language. */
export const channelTexts: { readonly [Name in Channel]: WordsOf<Name> } = {
  rest: {
    title: "REST",
    by: (n) => say("{n} by REST or page", { n: count(n) }),
    reached: (values) =>
      say(
        "{who} notified over REST or on a page{change, plural, =0 {} other { of change #}}{isLast, select, yes {, the last at {time}} other {}}.",
        values,
      ),
  },
  webhook: {
    title: say("Webhook"),
    by: (n) => say("{n} by webhook", { n: count(n) }),
    reached: (values) =>
      say(
        "{who} notified by webhook{change, plural, =0 {} other { of change #}}{isLast, select, yes {, the last at {time}} other {}}.",
        values,
      ),
  },
  openadr: {
    title: "OpenADR",
    by: (n) => say("{n} by VEN", { n: count(n) }),
    reached: (values) =>
      say(
        "{who} notified by their VEN{change, plural, =0 {} other { of change #}}{isLast, select, yes {, the last at {time}} other {}}.",
        values,
      ),
  },
  openadr3: {
    title: "OpenADR 3",
    by: (n) => say("{n} by OpenADR 3 VEN", { n: count(n) }),
    reached: (values) =>
      say(
        "{who} notified by their VEN over OpenADR 3{change, plural, =0 {} other { of change #}}{isLast, select, yes {, the last at {time}} other {}}.",
        values,
      ),
  },
  mail: {
    title: say("Mail", {}, "channel"),
    by: (n) => say("{n} by mail", { n: count(n) }),
    reached: (values) =>
      say(
        "{who} notified by mail{change, plural, =0 {} other { of change #}}{isLast, select, yes {, the last at {time}} other {}}.",
        values,
      ),
  },
  sms: {
    title: "SMS",
    by: (n) => say("{n} by SMS", { n: count(n) }),
    reached: (values) =>
      say(
        "{who} notified by SMS{change, plural, =0 {} other { of change #}}{isLast, select, yes {, the last at {time}} other {}}.",
        values,
      ),
  },
  voice: {
    title: say("Call", {}, "channel"),
    by: (n) => say("{n} by voice call", { n: count(n) }),
    reached: (values) =>
      say(
        "{who} notified by voice call{change, plural, =0 {} other { of change #}}{isLast, select, yes {, the last at {time}} other {}}.",
        values,
      ),
  },
  chat: {
    title: say("Chat", {}, "channel"),
    by: (n) => say("{n} by chat", { n: count(n) }),
    reached: (values) =>
      say(
        "{who} notified in a chat room{change, plural, =0 {} other { of change #}}{isLast, select, yes {, the last at {time}} other {}}.",
        values,
      ),

    add: say("Add chat room"),
    empty: say("Each dispatch and its changes can also be announced in a chat room."),
    label: say("Address of its incoming webhook"),
    hint: say(
      "Slack: add an app with incoming webhooks. Teams: create the workflow “Post to a channel when a webhook request is received”. Anyone with the address can post in the room, so it is stored encrypted and never shown again.",
    ),
  },
  personal: {
    title: say("Personal", {}, "channel"),
  },
  phone: {
    title: say("Phone", {}, "channel"),
    by: (n) => say("{n} by phone", { n: count(n) }),
    reached: (values) =>
      say(
        "{who} notified by phone{change, plural, =0 {} other { of change #}}{isLast, select, yes {, the last at {time}} other {}}.",
        values,
      ),
  },
};

const titles = Object.entries(channelTexts).map(([name, { title }]) => [name, title]);

/** Channels by name, as evidence names them. */
export const channelTitles = Object.fromEntries(titles) as Readonly<Record<Channel, string>>;
