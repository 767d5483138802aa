import { endpoint } from "../endpoint.js";
import { changeRules, dispatchEvents } from "../operator-v1/change.js";

/** Changes that the users of one account see: its dispatches and its own evidence. */
export const streamOwnChanges = endpoint({
  id: "streamOwnChanges",
  method: "GET",
  path: "/changes/stream",
  tag: "Changes",
  summary: "Stream changes of your dispatches",
  description: changeRules,
  events: dispatchEvents,
});
