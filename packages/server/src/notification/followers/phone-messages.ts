import type { Clock } from "../../platform/clock.js";
import { type Follower, productionRefsOf } from "../../platform/follower.js";
import type { PhoneChannel } from "../domain/phone-message.js";
import type { PhoneMessages } from "../operations/send-phone-messages.js";

export interface PhoneMessagesPorts {
  readonly clock: Clock;
  /** Those with a gateway; messages on others are not made. */
  readonly phones: readonly PhoneChannel[];
}

export const PHONE_MESSAGES = "phone-messages";

/** Makes the messages to phones that dispatch notices call for, once each. */
export const messagesToPhones = ({
  clock,
  phones,
}: PhoneMessagesPorts): Follower<{ readonly phoneMessages: PhoneMessages }> => ({
  name: PHONE_MESSAGES,
  stream: "journal",
  kinds: ["dispatch.notified"],
  by: "entry",
  // A dispatch may have a thousand accounts with a few contacts each.
  atOnce: 8,
  behindAfterSeconds: 15,
  async handle(entries, { stores }) {
    // The sandbox phones nobody.
    const notices = productionRefsOf(entries, ["dispatch.notified"]);
    await stores.phoneMessages.ofNotices(notices, { at: clock.now(), channels: phones });
    return { more: false };
  },
  // Who had a phone then, and which gateways there were, no state tells.
  rebuild: async () => false,
});
