import { VERSION } from "@curtail/contract";
import type { Webhook } from "../domain/delivery.js";
import type { SendDelivery } from "../operations/deliver-notices.js";
import type { ProbeWebhook } from "../operations/manage-webhooks.js";
import type { Clock } from "../operations/ports.js";
import { sendWebhook } from "./send-webhook.js";
import type { WebhookClient } from "./webhook-client.js";

/** The thin event: exactly these members (G29). */
const thinEvent = (name: string, resource: string): string => JSON.stringify({ event: { name }, resource });

/** Sends what a delivery tells of: which dispatch, and where to fetch it. */
export const sendDelivery =
  (client: WebhookClient, clock: Clock): SendDelivery =>
  async ({ id, url, event, dispatchId, secret }) => {
    const at = clock.now();
    const body = thinEvent(event, `/${VERSION}/dispatches/${dispatchId}`);
    const outcome = await sendWebhook({ url, body, id, secrets: [secret], timestamp: at }, { client });
    const { ok, status, durationMs, address, error } = outcome;
    return { ok, at, status, durationMs, address, error };
  };

/** Sends the test request of a registration: empty event name, empty resource. */
export const probeWebhook =
  (client: WebhookClient, clock: Clock): ProbeWebhook =>
  async ({ id, url, secret }: Webhook) => {
    const request = { url, body: thinEvent("", ""), id: `test_${id}`, secrets: [secret], timestamp: clock.now() };
    return (await sendWebhook(request, { client })).error;
  };
