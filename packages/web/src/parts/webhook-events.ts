import type { operator } from "@curtail/contract";

type WebhookEvent = operator.Delivery["event"];

/** Events that a webhook may subscribe to. */
export const eventWords: Readonly<Record<WebhookEvent, string>> = {
  "dispatch.create": "new dispatches",
  "dispatch.update": "changes to dispatches",
};

export const eventsWords = (events: readonly WebhookEvent[]): string =>
  events.map((event) => eventWords[event]).join(" and ");
