import type { operator } from "@curtail/contract";
import { say } from "@curtail/words/page";
import { joined } from "../format/and.js";

type WebhookEvent = operator.Delivery["event"];

/** Events that a webhook may subscribe to. */
export const eventWords: Readonly<Record<WebhookEvent, string>> = {
  "dispatch.create": say("new dispatches"),
  "dispatch.update": say("changes to dispatches"),
};

export const eventsWords = (events: readonly WebhookEvent[]): string =>
  joined(events.map((event) => eventWords[event]));
