import { BASE_PATHS } from "@curtail/contract";
import type { AnsweredAttempt } from "../../platform/attempt.js";
import type { Clock, NewId } from "../../platform/clock.js";
import type { WebhookClient } from "../../platform/outbound/webhook-client.js";
import { validSecrets } from "../domain/delivery.js";
import { deliveryBody, SECRET_UNREADABLE, thinEvent } from "../domain/webhook-message.js";
import type { SendDelivery } from "../operations/deliver-notices.js";
import type { ProbeWebhook } from "../operations/manage-webhooks.js";
import { sendWebhook, type WebhookRequest } from "./send-webhook.js";

/** Sends the event of a delivery: the path of the dispatch to fetch. */
export const sendDelivery =
  (client: WebhookClient, clock: Clock): SendDelivery =>
  (delivery) => {
    const { id, url, secrets } = delivery;
    if (secrets.length === 0) return Promise.resolve(unsigned(clock.now()));
    const body = deliveryBody(delivery, BASE_PATHS.participant);
    return sent(client, { url, body, id, secrets, timestamp: clock.now() });
  };

/** Every request is signed (G32): without a readable secret nothing is sent, which is a failed attempt. */
const unsigned = (at: Date): AnsweredAttempt => ({
  at,
  ok: false,
  status: null,
  durationMs: 0,
  address: null,
  error: SECRET_UNREADABLE,
  responseType: null,
  responseBody: null,
});

/** Sends the test request of a registration or an operator: empty event name, empty resource, its own id. */
export const probeWebhook =
  (client: WebhookClient, clock: Clock, newId: NewId): ProbeWebhook =>
  (webhook) => {
    const timestamp = clock.now();
    const [id, secrets] = [newId("test"), validSecrets(webhook, timestamp)];
    return sent(client, { url: webhook.url, body: thinEvent("", ""), id, secrets, timestamp });
  };

const sent = async (client: WebhookClient, request: WebhookRequest): Promise<AnsweredAttempt> => {
  const outcome = await sendWebhook(request, { client });
  return { at: request.timestamp, ...outcome };
};
