import type { AnsweredAttempt } from "../../platform/attempt.js";
import type { Clock, NewId } from "../../platform/clock.js";
import type { DatedIds } from "../../platform/dated-ids.js";
import type { WebhookClient } from "../../platform/outbound/webhook-client.js";
import type { Tracing } from "../../platform/tracing.js";
import { type ClaimedDelivery, validSecrets } from "../domain/delivery.js";
import { hasNumbers, resourceOf, thinEvent, unreadable } from "../domain/webhook.js";
import type { SendDelivery } from "../operations/deliver-notices.js";
import type { ProbeWebhook } from "../operations/manage-webhooks.js";
import { sendWebhook, type WebhookRequest } from "./send-webhook.js";
import { tracedDelivery } from "./traced-delivery.js";

interface SendingPorts {
  readonly clock: Clock;
  readonly ids: Pick<DatedIds, "numbersOf">;
  /** null: attempts are not traced. */
  readonly tracing: Tracing | null;
}

/** Sends the event of a delivery: the path of the dispatch to fetch. */
export const sendDelivery = (client: WebhookClient, { clock, ids, tracing }: SendingPorts): SendDelivery => {
  const attempt = async (delivery: ClaimedDelivery, traceparent: string | null): Promise<AnsweredAttempt> => {
    const { id, url, secrets, event } = delivery;
    if (secrets.length === 0) return unsigned(clock.now());
    const body = thinEvent(event, await resourceFor(delivery, ids));
    return sent(client, { url, body, id, secrets, timestamp: clock.now(), traceparent });
  };
  return tracing === null ? (delivery) => attempt(delivery, null) : tracedDelivery(tracing, clock, attempt);
};

/** A failure of the database fails no attempt: the lease ends, and the delivery is claimed again. */
const resourceFor = async (
  { interfaceVersion, dispatchId }: ClaimedDelivery,
  ids: SendingPorts["ids"],
): Promise<string> => {
  if (!hasNumbers(interfaceVersion)) return resourceOf(interfaceVersion, dispatchId);
  const numbers = await ids.numbersOf([{ kind: "dispatch", id: dispatchId }]);
  return resourceOf(interfaceVersion, numbers.get(dispatchId) ?? dispatchId);
};

/** Every request is signed (G32): without a readable secret nothing is sent, which is a failed attempt. */
const unsigned = (at: Date): AnsweredAttempt => ({
  ...unreadable(at),
  responseType: null,
  responseBody: null,
});

/** Sends the test request of a registration or an operator: empty event name, empty resource, its own id. */
export const probeWebhook =
  (client: WebhookClient, clock: Clock, newId: NewId): ProbeWebhook =>
  (webhook) => {
    const timestamp = clock.now();
    const [id, secrets] = [newId("test"), validSecrets(webhook, timestamp)];
    return sent(client, { url: webhook.url, body: thinEvent("", ""), id, secrets, timestamp, traceparent: null });
  };

const sent = async (client: WebhookClient, request: WebhookRequest): Promise<AnsweredAttempt> => {
  const outcome = await sendWebhook(request, { client });
  return { at: request.timestamp, ...outcome };
};
