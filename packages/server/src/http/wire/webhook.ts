import type { operator } from "@curtail/contract";
import type { Environment } from "../../domain/api-key.js";
import { type SentAttempt, validSecrets, type Webhook } from "../../domain/delivery.js";
import { formatTimestamp } from "../../domain/timestamp.js";

export const webhookToWire = (
  webhook: Webhook,
  now: Date,
  environment: Environment = "production",
): operator.OperatorWebhook => ({
  id: webhook.id,
  environment,
  url: webhook.url,
  events: [...webhook.events],
  secrets: [...validSecrets(webhook, now)],
  created_at: formatTimestamp(webhook.createdAt),
});

export const testToWire = ({ ok, status, durationMs, address, error }: SentAttempt) => ({
  ok,
  status,
  duration_ms: durationMs,
  address,
  error,
});
