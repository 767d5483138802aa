import Type, { type Static } from "typebox";
import { ADDRESS_CHARACTERS } from "../constants.js";
import { endpoint } from "../endpoint.js";
import { byId, id } from "../values.js";
import { paging } from "./list.js";

export const webhookEvents = ["dispatch.create", "dispatch.update"] as const;

/** Event of a notification. */
export const WebhookEventName = Type.Enum([...webhookEvents], {
  description:
    "`dispatch.create`: a dispatch was created. `dispatch.update`: a dispatch was changed, ended or cancelled.",
});

const WebhookEvent = Type.Object(
  { name: WebhookEventName },
  { $id: "WebhookEvent", description: "An event that a webhook is notified of." },
);

const webhookUrl = {
  format: "uri",
  description: "Address that receives notifications.",
  examples: ["https://example.com/hooks"],
};

/** Address of a webhook, in replies. */
export const WebhookUrl = Type.String(webhookUrl);

export const Webhook = Type.Object(
  {
    id: id("webhook"),
    url: WebhookUrl,
    events: Type.Array(WebhookEvent, { description: "Events that the webhook is notified of." }),
  },
  { $id: "Webhook", description: "An address that is notified of dispatches." },
);
export type Webhook = Static<typeof Webhook>;

export const listWebhooks = endpoint({
  id: "listWebhooks",
  method: "GET",
  path: "/webhooks",
  tag: "Webhooks",
  summary: "List your webhooks",
  description: "Returns all webhooks of the account in this environment. Their secrets are in the dashboard.",
  reply: Type.Object(
    { ...paging, webhooks: Type.Array(Webhook, { description: "All webhooks of the account." }) },
    { $id: "WebhookList", description: "Webhooks of the account." },
  ),
});

export const createWebhook = endpoint({
  id: "createWebhook",
  method: "POST",
  path: "/webhooks",
  tag: "Webhooks",
  summary: "Register a webhook",
  description:
    "First sends a test request with an empty event name and an empty resource to the address. If the address does not answer with success, nothing is created and the reply is 400.\n\nRegister both events to be notified of new dispatches and of changes. An account may have 20 webhooks.",
  body: Type.Object(
    {
      url: Type.String({ minLength: 1, maxLength: ADDRESS_CHARACTERS, ...webhookUrl }),
      events: Type.Array(WebhookEvent, { minItems: 1, description: "Events that the webhook is notified of." }),
    },
    { $id: "WebhookRequest", description: "A webhook to register." },
  ),
  reply: Webhook,
});

export const deleteWebhook = endpoint({
  id: "deleteWebhook",
  method: "DELETE",
  path: "/webhooks/{id}",
  tag: "Webhooks",
  summary: "Delete a webhook",
  description:
    "Deletes the webhook permanently and returns it. It gets no further notifications, and pending deliveries are dropped. When the last webhook of an account is deleted, the operator is alerted.",
  params: byId("webhook"),
  reply: Webhook,
});
