import type { operator } from "@curtail/contract";

type WebhookEvent = operator.Delivery["event"];

/** What a webhook may be told of. */
export const eventWords: Readonly<Record<WebhookEvent, string>> = {
  "dispatch.create": "new dispatches",
  "dispatch.update": "changes of dispatches",
};

export const eventsWords = (events: readonly WebhookEvent[]): string =>
  events.map((event) => eventWords[event]).join(" and ");
