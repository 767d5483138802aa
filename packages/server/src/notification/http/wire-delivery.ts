import type { operator } from "@curtail/contract";
import type { Attempt } from "../../platform/attempt.js";
import { formatTimestamp } from "../../platform/timestamp.js";
import type { Delivery } from "../domain/delivery.js";

const attemptToWire = ({ at, status, durationMs, address, error }: Attempt) => ({
  at: formatTimestamp(at),
  status,
  duration_ms: durationMs,
  address,
  error,
});

export const deliveryToWire = (delivery: Delivery): operator.Delivery => {
  const next = delivery.resendAt ?? delivery.nextAttemptAt;
  return {
    id: delivery.id,
    webhook_id: delivery.webhookId,
    dispatch_id: delivery.dispatchId,
    event: delivery.event,
    state: delivery.state,
    next_attempt_at: next === null ? null : formatTimestamp(next),
    created_at: formatTimestamp(delivery.createdAt),
    attempts: delivery.attempts.map(attemptToWire),
  };
};
