import Type, { type Static } from "typebox";
import { endpoint } from "../endpoint.js";
import { webhookEvents } from "../v2022-04-15/webhook.js";
import { id, nullable, Timestamp } from "../values.js";
import { byId, EnvironmentChoice, EnvironmentQuery, pageOf } from "./list.js";

/** A participant's webhook as the operator sees it, with what its requests are signed with. */
export const OperatorWebhook = Type.Object(
  {
    id: id("webhook", "Webhook id."),
    environment: Type.Enum(["production", "sandbox"], { description: "Whose dispatches it is told of." }),
    url: Type.String(),
    events: Type.Array(Type.Enum([...webhookEvents])),
    secrets: Type.Array(Type.String(), {
      description:
        "Secrets that its requests are signed with, the newest first; two for 24 hours after a rotation; none for auditors.",
    }),
    created_at: Timestamp,
  },
  { $id: "OperatorWebhook" },
);
export type OperatorWebhook = Static<typeof OperatorWebhook>;

/** How one request to a webhook went. */
export const requestOutcome = {
  status: nullable(Type.Integer({ description: "Status of the last answer; null when none came." })),
  duration_ms: Type.Integer({ description: "Milliseconds that it took, over all redirects." }),
  address: nullable(Type.String({ description: "IP address that was reached, or was not to be." })),
  error: nullable(Type.String({ description: "What went wrong; null for success.", examples: ["status_500"] })),
};

export const WebhookTest = Type.Object(
  { ok: Type.Boolean({ description: "The webhook answered with success, in time." }), ...requestOutcome },
  { $id: "WebhookTest" },
);

export const listAccountWebhooks = endpoint({
  id: "listAccountWebhooks",
  method: "GET",
  path: "/accounts/{id}/webhooks",
  tag: "Webhooks",
  summary: "List an account's webhooks",
  params: byId,
  query: EnvironmentQuery,
  reply: pageOf(OperatorWebhook),
});
export const rotateWebhookSecret = endpoint({
  id: "rotateWebhookSecret",
  method: "POST",
  path: "/webhooks/{id}/rotate-secret",
  once: "within",
  tag: "Webhooks",
  summary: "Give a webhook a new secret",
  description:
    "For 24 hours requests are signed with the secret before as well. Of more than two, the oldest ends at once.",
  params: byId,
  query: EnvironmentChoice,
  reply: OperatorWebhook,
});
export const testWebhook = endpoint({
  id: "testWebhook",
  method: "POST",
  path: "/webhooks/{id}/test",
  once: "outside",
  tag: "Webhooks",
  summary: "Send a webhook the test request now",
  description: "The request is that of a registration, with empty event name and resource. It is sent once.",
  params: byId,
  query: EnvironmentChoice,
  reply: WebhookTest,
});
