import Type, { type Static } from "typebox";
import { endpoint } from "../endpoint.js";
import { WebhookEventName } from "../v2022-04-15/webhook.js";
import { byId, id, moment, nullable, string } from "../values.js";
import { EnvironmentChoice, EnvironmentQuery, pageOf } from "./list.js";
import { requestOutcome, response } from "./webhook.js";

/** Id of a delivery, which its requests carry. */
export const deliveryId = id("delivery", "Identifier of the delivery: the `webhook-id` of its requests.");

const SentRequest = Type.Object(
  {
    headers: Type.Object(
      {
        "content-type": string("Media type of the body.", "application/json"),
        "webhook-id": deliveryId,
        "webhook-timestamp": string("When the request was sent, in seconds since 1970.", "1782927000"),
        "webhook-signature": Type.Null({
          description: "The signatures were sent, but are not kept.",
          examples: [null],
        }),
      },
      { description: "Headers of the request." },
    ),
    body: string(
      "Body of the request.",
      '{"event":{"name":"dispatch.create"},"resource":"/2022-04-15/dispatches/dis_4f9k2m7q1x8c"}',
    ),
  },
  { $id: "SentRequest", description: "A request as it was sent." },
);

const DeliveryAttempt = Type.Object(
  {
    at: moment("When the request was sent.", "notified"),
    ...requestOutcome,
    request: nullable(SentRequest, "The request; null if none was sent, since it could not be signed."),
    response,
  },
  { $id: "DeliveryAttempt", description: "One request of a delivery." },
);

/** A notification of one webhook about one event of a dispatch. */
export const Delivery = Type.Object(
  {
    id: deliveryId,
    webhook_id: id("webhook", "Webhook that is notified."),
    dispatch_id: id("dispatch", "Dispatch of the event."),
    event: WebhookEventName,
    state: Type.Enum(["pending", "delivered", "failed", "dropped"], {
      description:
        "`failed`: all attempts failed. `dropped`: the webhook was deleted, the account disabled, or the scenario ended before it was delivered.",
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
    "Returns the deliveries to webhooks with their attempts. For emails and OpenADR as well, list the evidence of the dispatch.",
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
