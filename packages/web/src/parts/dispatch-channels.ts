import { addressedChannels, addressWords, type Channel, type ReachChannel } from "@curtail/contract/lists/channels";
import { say } from "@curtail/words/page";
import { count } from "../format/quantity.js";

/** Channels by name, as evidence names them. */
export const channelTitles: Readonly<Record<Channel, string>> = {
  rest: "REST",
  webhook: say("Webhook"),
  openadr: "OpenADR",
  openadr3: "OpenADR 3",
  mail: say("Mail", {}, "channel"),
  sms: "SMS",
  voice: say("Call", {}, "channel"),
  chat: say("Chat", {}, "channel"),
  personal: say("Personal", {}, "channel"),
  phone: say("Phone", {}, "channel"),
};

/** Products that read messages of a form; names are the same in every language. */
export const formWords = (form: string): string =>
  form === "slack" ? say("Slack, Mattermost, Rocket.Chat or Google Chat") : (formNames[form] ?? form);

const formNames: Readonly<Record<string, string>> = Object.assign(
  {},
  ...addressedChannels.map((channel) => addressWords(channel).forms ?? {}),
);

/** How many accounts a channel notified. */
export const notifiedBy: Readonly<Record<ReachChannel, (n: number) => string>> = {
  rest: (n) => say("{n} by REST or page", { n: count(n) }),
  webhook: (n) => say("{n} by webhook", { n: count(n) }),
  openadr: (n) => say("{n} by VEN", { n: count(n) }),
  openadr3: (n) => say("{n} by OpenADR 3 VEN", { n: count(n) }),
  mail: (n) => say("{n} by mail", { n: count(n) }),
  sms: (n) => say("{n} by SMS", { n: count(n) }),
  voice: (n) => say("{n} by voice call", { n: count(n) }),
  chat: (n) => say("{n} by chat", { n: count(n) }),
  phone: (n) => say("{n} by phone", { n: count(n) }),
};
