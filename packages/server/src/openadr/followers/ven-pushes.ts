import type { Clock } from "../../platform/clock.js";
import { type Follower, subjectsOf } from "../../platform/follower.js";
import type { VenPushes } from "../operations/ven-ports.js";

export const VEN_PUSHES = "ven-pushes";

/** Makes what VENs of OpenADR 2.0a with an address are to be pushed. */
export const venPushes = ({ clock }: { readonly clock: Clock }): Follower<{ readonly venPushes: VenPushes }> => ({
  name: VEN_PUSHES,
  stream: "journal",
  kinds: ["dispatch.notified", "ven.create", "ven.change", "account.change"],
  by: "subject",
  // A dispatch may have thousands of VENs.
  atOnce: 8,
  behindAfterSeconds: 15,
  async handle(entries, { stores }) {
    const production = entries.filter(({ environment }) => environment === "production");
    const now = clock.now();
    await stores.venPushes.ofDispatches(subjectsOf(production, ["dispatch.notified"]), now);
    await stores.venPushes.ofVens(
      {
        venIds: subjectsOf(production, ["ven.create", "ven.change"]),
        accountIds: subjectsOf(production, ["account.change"]),
      },
      now,
    );
    return { more: false };
  },
  rebuild: ({ stores }) => stores.venPushes.rebuild(clock.now()),
});
