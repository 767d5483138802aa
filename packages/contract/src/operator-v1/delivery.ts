import Type, { type Static } from "typebox";
import { endpoint } from "../endpoint.js";
import { WebhookEventName } from "../v2022-04-15/webhook.js";
import { byId, id, moment, nullable } from "../values.js";
import { EnvironmentChoice, EnvironmentQuery, pageOf } from "./list.js";
import { requestOutcome } from "./webhook.js";

const DeliveryAttempt = Type.Object(
  { at: moment("When the request was sent.", "notified"), ...requestOutcome },
  { $id: "DeliveryAttempt", description: "One request of a delivery." },
);

/** Id of a delivery, which its requests carry. */
export const deliveryId = id("delivery", "Identifier of the delivery: the `webhook-id` of its requests.");

/** A notification of one webhook about one event of a dispatch. */
export const Delivery = Type.Object(
  {
    id: deliveryId,
    webhook_id: id("webhook", "Webhook that is notified."),
    dispatch_id: id("dispatch", "Dispatch of the event."),
    event: WebhookEventName,
    state: Type.Enum(["pending", "delivered", "failed", "dropped"], {
      description:
        "`failed`: all attempts failed. `dropped`: the webhook was deleted, or the account disabled, before it was delivered.",
      examples: ["delivered"],
    }),
    next_attempt_at: nullable(moment("When the next attempt is due; null if there is none.", "notified")),
    created_at: moment("When the event occurred.", "notified"),
    attempts: Type.Array(DeliveryAttempt, { description: "All requests, oldest first." }),
  },
  { $id: "Delivery", description: "A notification of one webhook about one event of a dispatch." },
);
export type Delivery = Static<typeof Delivery>;

export const listWebhookDeliveries = endpoint({
  id: "listWebhookDeliveries",
  method: "GET",
  path: "/webhooks/{id}/deliveries",
  tag: "Webhooks",
  summary: "List deliveries to a webhook, newest first",
  description: "Returns every delivery with its attempts. The deliveries of a deleted webhook are kept.",
  params: byId("webhook"),
  query: EnvironmentQuery,
  reply: pageOf(Delivery),
});
export const listDispatchDeliveries = endpoint({
  id: "listDispatchDeliveries",
  method: "GET",
  path: "/dispatches/{id}/deliveries",
  tag: "Webhooks",
  summary: "List deliveries of a dispatch, newest first",
  description:
    "Returns the deliveries to webhooks with their attempts. For mail and OpenADR as well, list the evidence of the dispatch.",
  params: byId("dispatch"),
  query: EnvironmentQuery,
  reply: pageOf(Delivery),
});
export const resendDelivery = endpoint({
  id: "resendDelivery",
  method: "POST",
  path: "/deliveries/{id}/resend",
  once: "within",
  tag: "Webhooks",
  summary: "Resend a delivery",
  description:
    "Sends the delivery at once with the same `webhook-id`, in any state and ahead of other deliveries. If the attempt fails, state and retries stay as they were. The reply does not wait for the attempt; list the deliveries to see its outcome.",
  params: byId("delivery"),
  query: EnvironmentChoice,
  reply: Delivery,
});
