import type { operator } from "@curtail/contract";
import { say } from "@curtail/words/page";

type WebhookEvent = operator.Delivery["event"];

/** Events that a webhook may subscribe to. */
export const eventWords: Readonly<Record<WebhookEvent, string>> = {
  "dispatch.create": say("new dispatches"),
  "dispatch.update": say("changes to dispatches"),
};

export const eventsWords = (events: readonly WebhookEvent[]): string =>
  events.map((event) => eventWords[event]).join(" and ");
