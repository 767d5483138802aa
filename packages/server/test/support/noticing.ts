import { auth, type BodyOf } from "@curtail/contract";
import type { PushedBrowser } from "@curtail/testing/push-service";
import type { Browser } from "./people.js";

type Preferences = BodyOf<typeof auth.setNoticePreferences>;

const never = { mail: false, push: false };

/** Chooses what a person is notified of; everything else is off. */
export const choose = async (person: Browser, chosen: Partial<Preferences>): Promise<void> => {
  const rest = { dispatches: never, changes: never, alarms: never, quiet_hours: null, timezone: "America/Chicago" };
  const { status, text } = await person.auth(auth.setNoticePreferences, { body: { ...rest, ...chosen } });
  if (status !== 200) throw new Error(`choosing was answered ${status}: ${text}`);
};

/** Registers a browser of a person; returns its id. */
export const register = async (
  person: Browser,
  { subscription }: Pick<PushedBrowser, "subscription">,
  name = "Firefox on Linux",
): Promise<string> => {
  const { status, body, text } = await person.auth(auth.addPushSubscription, { body: { ...subscription, name } });
  if (status !== 201) throw new Error(`registering was answered ${status}: ${text}`);
  return body.id;
};
