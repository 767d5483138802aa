import type { Clock } from "../../platform/clock.js";
import { type Follower, productionRefsOf } from "../../platform/follower.js";
import type { AddressedMessages } from "../operations/send-addressed-messages.js";

const ADDRESSED_MESSAGES = "addressed-messages";

/** Makes the messages to addresses of channels that dispatch notices call for, once each. */
export const messagesToAddresses = ({
  clock,
}: {
  readonly clock: Clock;
}): Follower<{ readonly addressedMessages: AddressedMessages }> => ({
  name: ADDRESSED_MESSAGES,
  stream: "journal",
  kinds: ["dispatch.notified"],
  by: "entry",
  // A dispatch may have a thousand accounts with a few addresses each.
  atOnce: 8,
  behindAfterSeconds: 15,
  async handle(entries, { stores }) {
    // The sandbox has no addresses.
    const notices = productionRefsOf(entries, ["dispatch.notified"]);
    await stores.addressedMessages.ofNotices(notices, clock.now());
    return { more: false };
  },
  // Which addresses there were then, no state tells.
  rebuild: async () => false,
});
