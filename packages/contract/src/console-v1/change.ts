import { endpoint } from "../endpoint.js";
import { changeRules, dispatchEvents } from "../operator-v1/change.js";

/** The same for the people of one account: of what it can see, and of its own evidence. */
export const streamOwnChanges = endpoint({
  id: "streamOwnChanges",
  method: "GET",
  path: "/changes/stream",
  tag: "Changes",
  summary: "What has changed for your account, live",
  description: changeRules,
  events: dispatchEvents,
});
