import type { operator } from "@curtail/contract";
import type { Attempt, ResponseStart } from "../../platform/attempt.js";
import { formatTimestamp } from "../../platform/timestamp.js";
import type { Delivery, WebhookAttempt } from "../domain/delivery.js";
import { thinEvent, wasSigned, webhookTimestamp } from "../domain/webhook-message.js";

type WireAttempt = operator.Delivery["attempts"][number];

/** Whether a reader is shown what the receiver at an address responded. */
export type ShowsResponse = (address: string | null) => boolean;

export const showsAll: ShowsResponse = () => true;

export const deliveryToWire = (delivery: Delivery, shows: ShowsResponse): operator.Delivery => {
  const next = delivery.resendAt ?? delivery.nextAttemptAt;
  return {
    id: delivery.id,
    webhook_id: delivery.webhookId,
    dispatch_id: delivery.dispatchId,
    event: delivery.event,
    state: delivery.state,
    next_attempt_at: next === null ? null : formatTimestamp(next),
    created_at: formatTimestamp(delivery.createdAt),
    attempts: delivery.attempts.map((attempt) => attemptToWire(delivery, attempt, shows)),
  };
};

const attemptToWire = (delivery: Delivery, attempt: WebhookAttempt, shows: ShowsResponse): WireAttempt => {
  const { at, status, durationMs, address, error } = attempt;
  return {
    at: formatTimestamp(at),
    status,
    duration_ms: durationMs,
    address,
    error,
    request: wasSigned(attempt) ? requestOf(delivery, at) : null,
    response: responseToWire(attempt, shows),
  };
};

/** Not stored: it follows from the delivery, except for the signature, which needs the secret of that time. */
const requestOf = (delivery: Delivery, at: Date): WireAttempt["request"] => ({
  headers: {
    "content-type": "application/json",
    "webhook-id": delivery.id,
    "webhook-timestamp": webhookTimestamp(at),
    "webhook-signature": null,
  },
  body: thinEvent(delivery.event, delivery.resource),
});

export const responseToWire = (
  { status, address, responseType, responseBody }: Attempt & ResponseStart,
  shows: ShowsResponse,
): WireAttempt["response"] => {
  if (status === null) return null;
  return shows(address) ? { content_type: responseType, body: responseBody } : { content_type: null, body: null };
};
