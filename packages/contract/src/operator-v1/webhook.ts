import Type, { type Static } from "typebox";
import { SECRET_OVERLAP_HOURS } from "../constants.js";
import { endpoint } from "../endpoint.js";
import { WebhookEventName, WebhookUrl } from "../v2022-04-15/webhook.js";
import { boolean, byId, id, integer, moment, nullable, string } from "../values.js";
import { EnvironmentChoice, EnvironmentQuery, environments, pageOf } from "./list.js";

const secretExample = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";

/** Secrets of a webhook; `hiddenFrom` names the role that gets none. */
export const webhookSecrets = (hiddenFrom: string) =>
  Type.Array(string("A secret.", secretExample), {
    description: `Secrets that requests are signed with, newest first. Two for ${SECRET_OVERLAP_HOURS} hours after a rotation. Empty for ${hiddenFrom}.`,
  });

/** A webhook of a participant, with its secrets. */
export const OperatorWebhook = Type.Object(
  {
    id: id("webhook"),
    environment: Type.Enum([...environments], {
      description: "Environment whose dispatches the webhook is notified of.",
    }),
    url: WebhookUrl,
    events: Type.Array(WebhookEventName, { description: "Events that the webhook is notified of." }),
    interface_version: string(
      "Version of the participants' interface that registered the webhook. The `resource` of what it is sent begins with it.",
      "2022-04-15",
    ),
    secrets: webhookSecrets("auditors"),
    created_at: moment("When the webhook was registered.", "created"),
  },
  { $id: "OperatorWebhook", description: "A webhook of a participant, with its secrets." },
);
export type OperatorWebhook = Static<typeof OperatorWebhook>;

/** Outcome of one request to a webhook. */
export const requestOutcome = {
  status: nullable(integer("HTTP status of the last response; null without a response.", 200)),
  duration_ms: integer("Duration in milliseconds, including redirects.", 84),
  address: nullable(
    string("IP address that was contacted or refused; null if the name did not resolve.", "203.0.113.20"),
  ),
  error: nullable(string("What went wrong; null for success.", "status_500")),
};

const ReceivedResponse = Type.Object(
  {
    content_type: nullable(
      string("Header Content-Type; null if there was none, or if the body is null.", "application/json"),
    ),
    body: nullable(
      string(
        "The first 1 KB of the body, decoded as UTF-8; U+FFFD replaces bytes that are not text. Null if it was not kept, as in older attempts, or if the reader is a participant and the address is not public.",
        '{"error":"no such dispatch"}',
      ),
    ),
  },
  { $id: "ReceivedResponse", description: "What the receiver responded." },
);
/** What the receiver of one request responded. */
export const response = nullable(ReceivedResponse, "The last response; null without a response.");

export const WebhookTest = Type.Object(
  { ok: boolean("`true`: the webhook answered with success in time.", true), ...requestOutcome, response },
  { $id: "WebhookTest", description: "Outcome of a test request." },
);

export const listAccountWebhooks = endpoint({
  id: "listAccountWebhooks",
  method: "GET",
  path: "/accounts/{id}/webhooks",
  tag: "Webhooks",
  summary: "List an account's webhooks",
  description: "Returns the webhooks of one environment. Only the account itself can register or delete webhooks.",
  params: byId("account"),
  query: EnvironmentQuery,
  reply: pageOf(OperatorWebhook),
});
export const rotateWebhookSecret = endpoint({
  id: "rotateWebhookSecret",
  method: "POST",
  path: "/webhooks/{id}/rotate-secret",
  once: "within",
  tag: "Webhooks",
  summary: "Rotate the secret of a webhook",
  description: `Requests are signed with the new secret at once, and for ${SECRET_OVERLAP_HOURS} hours with the previous one as well, so that the receiver can switch. A further rotation ends the oldest secret at once.`,
  params: byId("webhook"),
  query: EnvironmentChoice,
  reply: OperatorWebhook,
});
export const testWebhook = endpoint({
  id: "testWebhook",
  method: "POST",
  path: "/webhooks/{id}/test",
  once: "outside",
  tag: "Webhooks",
  summary: "Send a test request to a webhook",
  description:
    "Sends the test request of a registration, with an empty event name and an empty resource, and returns the outcome. A failed test is not retried and changes nothing. Too many tests at once get 429.",
  params: byId("webhook"),
  query: EnvironmentChoice,
  reply: WebhookTest,
});
