import type { operator } from "@curtail/contract";
import type { Environment } from "../../access/domain/api-key.js";
import type { AnsweredAttempt } from "../../platform/attempt.js";
import { formatTimestamp } from "../../platform/timestamp.js";
import { validSecrets, type Webhook } from "../domain/delivery.js";
import { responseToWire, type ShowsResponse } from "./wire-delivery.js";

export const webhookToWire = (
  webhook: Webhook,
  now: Date,
  environment: Environment = "production",
): operator.OperatorWebhook => ({
  id: webhook.id,
  environment,
  url: webhook.url,
  events: [...webhook.events],
  interface_version: webhook.interfaceVersion,
  secrets: [...validSecrets(webhook, now)],
  created_at: formatTimestamp(webhook.createdAt),
});

/** The secret allows forging notices, so read-only users do not see it. */
export const withoutSecrets = (webhook: operator.OperatorWebhook): operator.OperatorWebhook => ({
  ...webhook,
  secrets: [],
});

export const testToWire = (sent: AnsweredAttempt, shows: ShowsResponse) => {
  const { ok, status, durationMs, address, error } = sent;
  return { ok, status, duration_ms: durationMs, address, error, response: responseToWire(sent, shows) };
};
