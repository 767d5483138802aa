import type { operator } from "@curtail/contract";
import { say } from "@curtail/words/page";
import { joined } from "../format/and.js";
import { dayOf, OWN_ZONE } from "../format/time.js";

type Certified = operator.CertifiedIntegration;
type Channel = Certified["channels"][number];

export const channelWords: Readonly<Record<Channel, string>> = {
  webhook: say("webhook", {}, "in a list of channels"),
  polling: say("polling or stream"),
  openadr: "OpenADR",
};

/** `Integration certified on Fri 20 Nov`. */
export const certifiedWords = ({ certified_at }: Certified): string =>
  say("Integration certified on {day}", { day: dayOf(new Date(certified_at), OWN_ZONE) });

/** `update and cancellation, by webhook and polling or stream`. */
export const passedWords = ({ scenarios, channels }: Certified): string => {
  const passed = joined(scenarios.map((each) => passedScenarios[each]));
  return channels.length === 0
    ? passed
    : say("{scenarios}, by {channels}", {
        scenarios: passed,
        channels: joined(channels.map((each) => channelWords[each])),
      });
};

const passedScenarios: Readonly<Record<Certified["scenarios"][number], string>> = {
  update: say("update", {}, "scenario"),
  cancellation: say("cancellation", {}, "scenario"),
};
