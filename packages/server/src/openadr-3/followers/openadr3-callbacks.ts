import type { Clock } from "../../platform/clock.js";
import type { Follower } from "../../platform/follower.js";
import { CALLBACKS, type Callbacks } from "../operations/queue-notifications.js";

/** Makes the notifications that subscriptions of OpenADR 3 call for, once each. */
export const openadr3Callbacks = ({
  clock,
}: {
  readonly clock: Clock;
}): Follower<{ readonly openadr3Callbacks: Callbacks }> => ({
  name: CALLBACKS,
  stream: "openadr3_changes",
  kinds: ["openadr3.change"],
  by: "entry",
  // One for everybody may have a notification for each VEN.
  atOnce: 50,
  behindAfterSeconds: 15,
  async handle(entries, { stores }) {
    await stores.openadr3Callbacks.ofChanges(
      entries.map(({ seq }) => seq),
      clock.now(),
    );
    return { more: false };
  },
  // No state shows who had subscribed then.
  rebuild: async () => false,
});
