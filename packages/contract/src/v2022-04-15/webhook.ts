import Type, { type Static } from "typebox";
import { endpoint } from "../endpoint.js";
import { id } from "../values.js";

export const webhookEvents = ["dispatch.create", "dispatch.update"] as const;

const WebhookEvent = Type.Object({ name: Type.Enum([...webhookEvents]) }, { $id: "WebhookEvent" });

export const Webhook = Type.Object(
  {
    id: id("webhook", "Identifier of the webhook."),
    url: Type.String({ description: "Address that receives notifications." }),
    events: Type.Array(WebhookEvent),
  },
  { $id: "Webhook" },
);
export type Webhook = Static<typeof Webhook>;

export const listWebhooks = endpoint({
  id: "listWebhooks",
  method: "GET",
  path: "/webhooks",
  tag: "Webhooks",
  summary: "List your webhooks",
  reply: Type.Object(
    { page: Type.Integer(), perPage: Type.Integer(), webhooks: Type.Array(Webhook) },
    { $id: "WebhookList" },
  ),
});

export const createWebhook = endpoint({
  id: "createWebhook",
  method: "POST",
  path: "/webhooks",
  tag: "Webhooks",
  summary: "Register a webhook",
  description:
    "A test request with empty event name and resource is sent to the address first; unless it answers with success, nothing is created.",
  body: Type.Object(
    { url: Type.String({ minLength: 1, maxLength: 2048 }), events: Type.Array(WebhookEvent, { minItems: 1 }) },
    { $id: "WebhookRequest" },
  ),
  reply: Webhook,
});

export const deleteWebhook = endpoint({
  id: "deleteWebhook",
  method: "DELETE",
  path: "/webhooks/{id}",
  tag: "Webhooks",
  summary: "Delete a webhook for good",
  params: Type.Object({ id: Type.String({ description: "Webhook id." }) }),
  reply: Webhook,
});
