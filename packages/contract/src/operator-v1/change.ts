import Type from "typebox";
import { endpoint } from "../endpoint.js";
import { id } from "../values.js";

/** How streams of changes behave. */
export const changeRules =
  "A stream of server-sent events that name what to fetch again, within about a second of the change. `ready` comes first, once: fetch everything then. Past events are not replayed, so a client that reconnects fetches everything again. `dispatch`: a dispatch was created, changed or cancelled, or has started or ended. `delivery`: the evidence of a dispatch has new entries, reported at most once a second per dispatch. One hour after a dispatch is over or cancelled, its events end. Comments keep the connection alive.";

const Nothing = Type.Object({});

/** Events that operators and participants get. */
export const dispatchEvents = {
  ready: Nothing,
  dispatch: Type.Object({
    id: id("dispatch", "Dispatch that was created, changed or cancelled, or that has started or ended."),
  }),
  delivery: Type.Object({
    dispatch_id: id("dispatch", "Dispatch with new evidence: deliveries, emails, reads, polls or acknowledgements."),
  }),
};

export const streamChanges = endpoint({
  id: "streamChanges",
  method: "GET",
  path: "/changes/stream",
  tag: "Changes",
  summary: "Stream changes of dispatches and alarms",
  description: `${changeRules} \`alarm\`: an alarm was raised, acknowledged or cleared.`,
  events: { ...dispatchEvents, alarm: Nothing },
});
