import type { Clock } from "../../platform/clock.js";
import { type Follower, productionRefsOf, subjectsOf } from "../../platform/follower.js";
import type { PeopleToNotify } from "../operations/people-to-notify.js";

export interface PersonalNoticesPorts {
  readonly clock: Clock;
  /** Whether there is a mail server. */
  readonly hasMail: boolean;
}

export const PERSONAL_NOTICES = "personal-notices";

/** Makes the notices to persons that dispatch notices, alarms and their ends call for, once each. */
export const personalNotices = ({
  clock,
  hasMail,
}: PersonalNoticesPorts): Follower<{ readonly peopleToNotify: PeopleToNotify }> => ({
  name: PERSONAL_NOTICES,
  stream: "journal",
  kinds: ["dispatch.notified", "alarm.raise", "alarm.clear"],
  by: "entry",
  // A dispatch may concern thousands of persons.
  atOnce: 8,
  behindAfterSeconds: 15,
  async handle(entries, { stores }) {
    const notifying = { at: clock.now(), hasMail };
    // The sandbox notifies nobody.
    const production = entries.filter(({ environment }) => environment === "production");
    await stores.peopleToNotify.ofDispatchNotices(productionRefsOf(production, ["dispatch.notified"]), notifying);
    await stores.peopleToNotify.ofAlarms(subjectsOf(production, ["alarm.raise"]), notifying);
    await stores.peopleToNotify.ofEndedAlarms(subjectsOf(production, ["alarm.clear"]), notifying.at);
    return { more: false };
  },
  // What people were told, and by what they wanted then, no state tells.
  rebuild: async () => false,
});
