import type { operator } from "@curtail/contract";
import { say } from "@curtail/words/page";
import { joined } from "../format/and.js";
import { dayOf, OWN_ZONE } from "../format/time.js";

type Certified = operator.CertifiedIntegration;
type Channel = Certified["channels"][number];

export const channelWords: Readonly<Record<Channel, string>> = {
  webhook: "webhook",
  polling: say("polling or stream"),
  openadr: say("OpenADR"),
};

/** `Integration certified on Fri 20 Nov`. */
export const certifiedWords = ({ certified_at }: Certified): string =>
  `Integration certified on ${dayOf(new Date(certified_at), OWN_ZONE)}`;

/** `update and cancellation, by webhook and polling or stream`. */
export const passedWords = ({ scenarios, channels }: Certified): string => {
  const by = channels.length === 0 ? "" : `, by ${joined(channels.map((each) => channelWords[each]))}`;
  return `${joined(scenarios)}${by}`;
};
