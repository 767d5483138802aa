import Type from "typebox";
import { endpoint } from "../endpoint.js";
import { id } from "../values.js";

/** How streams of changes behave. */
export const changeRules =
  "Server-sent events that say what to ask for anew, within a second or so of what changed it, whichever process did. `ready` comes once, first. Nothing is replayed: whoever connects, or connects again, asks for everything when it comes. `delivery` comes at most once a second for each dispatch. Of a dispatch that is over or cancelled, nothing more is told an hour later. Comments in between say that the stream lives.";

const Nothing = Type.Object({});

/** What participants are told of as well. */
export const dispatchEvents = {
  ready: Nothing,
  dispatch: Type.Object({
    id: id("dispatch", "A dispatch that was created, changed or cancelled, that started or ended."),
  }),
  delivery: Type.Object({
    dispatch_id: id("dispatch", "A dispatch with news in its evidence: deliveries, mails, reads, polls, answers."),
  }),
};

export const streamChanges = endpoint({
  id: "streamChanges",
  method: "GET",
  path: "/changes/stream",
  tag: "Changes",
  summary: "What has changed, live",
  description: `${changeRules} \`alarm\`: one was raised, acknowledged or cleared.`,
  events: { ...dispatchEvents, alarm: Nothing },
});
