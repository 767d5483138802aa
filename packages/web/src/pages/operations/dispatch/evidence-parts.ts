import type { operator } from "@curtail/contract";
import { isAddressed } from "@curtail/contract/lists/channels";
import { say } from "@curtail/words/page";
import { channelTitles } from "../../../parts/channel-texts.js";
import { recipientOf } from "../../../parts/evidence-words.js";

type Evidence = operator.Evidence;

/** Whose messages go to a contact or an address, by name. */
export const isToPerson = (channel: Evidence["channel"]): boolean =>
  channel === "sms" || channel === "voice" || isAddressed(channel);

/** `SMS to Ana Lopez, +15550100200 is due`, `Chat message to Control room failed` */
export const messageWords = ({ channel, detail }: Evidence) => {
  const values = { channel, title: channelTitles[channel], who: recipientOf(detail) ?? say("a contact") };
  return {
    due: say(
      "{channel, select, sms {SMS to {who} is due} voice {Call to {who} is due} other {{title} message to {who} is due}}",
      values,
    ),
    accepted: say(
      "{channel, select, sms {SMS to {who} accepted} voice {Call to {who} accepted} other {{title} message to {who} accepted}}",
      values,
    ),
    handedOver: say(
      "{channel, select, sms {SMS to {who} accepted by the gateway} voice {Call to {who} accepted by the gateway} other {{title} message to {who} accepted by the gateway}}",
      values,
    ),
    failed: say(
      "{channel, select, sms {SMS to {who} failed} voice {Call to {who} failed} other {{title} message to {who} failed}}",
      values,
    ),
  };
};

export const venOf = ({ ven_id, client_name }: Evidence["detail"]): string => ven_id ?? client_name ?? "";

export const isGone = ({ operation }: Evidence["detail"]): boolean => operation === "DELETE";

/** Names the change that an event is about; the dispatch as it was issued has none. */
export const ofChange = ({ modification_number: change }: Evidence["detail"], what: string): string =>
  change === undefined || change === 0 ? what : say("{what} (change {change})", { what, change });
