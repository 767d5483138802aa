import Type, { type Static } from "typebox";
import { endpoint } from "../endpoint.js";
import { webhookEvents } from "../v2022-04-15/webhook.js";
import { id, nullable, Timestamp } from "../values.js";
import { byId, EnvironmentChoice, EnvironmentQuery, pageOf } from "./list.js";
import { requestOutcome } from "./webhook.js";

const DeliveryAttempt = Type.Object({ at: Timestamp, ...requestOutcome }, { $id: "DeliveryAttempt" });

/** A notice of a dispatch to one webhook. */
export const Delivery = Type.Object(
  {
    id: id("delivery", "Delivery id: the webhook-id header of its requests."),
    webhook_id: id("webhook", "Webhook that is told."),
    dispatch_id: id("dispatch", "Dispatch that it is told of."),
    event: Type.Enum([...webhookEvents]),
    state: Type.Enum(["pending", "delivered", "failed", "dropped"], {
      description: "dropped: the webhook was deleted before it was delivered.",
    }),
    next_attempt_at: nullable(Timestamp),
    created_at: Timestamp,
    attempts: Type.Array(DeliveryAttempt, { description: "Every request, oldest first." }),
  },
  { $id: "Delivery" },
);
export type Delivery = Static<typeof Delivery>;

export const listWebhookDeliveries = endpoint({
  id: "listWebhookDeliveries",
  method: "GET",
  path: "/webhooks/{id}/deliveries",
  tag: "Webhooks",
  summary: "List what a webhook was sent, newest first",
  description: "A deleted webhook's are kept.",
  params: byId,
  query: EnvironmentQuery,
  reply: pageOf(Delivery),
});
export const listDispatchDeliveries = endpoint({
  id: "listDispatchDeliveries",
  method: "GET",
  path: "/dispatches/{id}/deliveries",
  tag: "Webhooks",
  summary: "List what webhooks were sent of a dispatch, newest first",
  params: byId,
  query: EnvironmentQuery,
  reply: pageOf(Delivery),
});
export const resendDelivery = endpoint({
  id: "resendDelivery",
  method: "POST",
  path: "/deliveries/{id}/resend",
  once: "within",
  tag: "Webhooks",
  summary: "Send a delivery once more",
  description:
    "It goes out at once, whatever its state and whatever waits before it, with the same webhook-id. When that fails, state and retries stay as they were.",
  params: byId,
  query: EnvironmentChoice,
  reply: Delivery,
});
