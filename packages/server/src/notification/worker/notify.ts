import { VERSION } from "@curtail/contract";
import { type SentAttempt } from "../../platform/attempt.js";
import type { Clock, NewId } from "../../platform/clock.js";
import { withoutResponse } from "../../platform/outbound/post-attempt.js";
import type { WebhookClient } from "../../platform/outbound/webhook-client.js";
import { validSecrets } from "../domain/delivery.js";
import type { SendDelivery } from "../operations/deliver-notices.js";
import type { ProbeWebhook } from "../operations/manage-webhooks.js";
import { sendWebhook, type WebhookRequest } from "./send-webhook.js";

/** The thin event: exactly these members (G29). */
const thinEvent = (name: string, resource: string): string => JSON.stringify({ event: { name }, resource });

/** Sends the event of a delivery: the path of the dispatch to fetch. */
export const sendDelivery =
  (client: WebhookClient, clock: Clock): SendDelivery =>
  ({ id, url, event, dispatchId, secrets }) => {
    if (secrets.length === 0) return Promise.resolve(unsigned(clock.now()));
    const body = thinEvent(event, `/${VERSION}/dispatches/${dispatchId}`);
    return sent(client, { url, body, id, secrets, timestamp: clock.now() });
  };

/** Every request is signed (G32): without a readable secret nothing is sent, which is a failed attempt. */
const unsigned = (at: Date): SentAttempt => ({
  at,
  ok: false,
  status: null,
  durationMs: 0,
  address: null,
  error: "secret_unreadable",
});

/** Sends the test request of a registration or an operator: empty event name, empty resource, its own id. */
export const probeWebhook =
  (client: WebhookClient, clock: Clock, newId: NewId): ProbeWebhook =>
  (webhook) => {
    const timestamp = clock.now();
    const [id, secrets] = [newId("test"), validSecrets(webhook, timestamp)];
    return sent(client, { url: webhook.url, body: thinEvent("", ""), id, secrets, timestamp });
  };

const sent = async (client: WebhookClient, request: WebhookRequest): Promise<SentAttempt> => {
  const outcome = await sendWebhook(request, { client });
  return { at: request.timestamp, ...withoutResponse(outcome) };
};
