import { operator } from "@curtail/contract";
import type { FastifyInstance } from "fastify";
import { validSecrets, type Webhook } from "../../domain/delivery.js";
import { isRefusal, notFound } from "../../domain/refusal.js";
import { formatTimestamp } from "../../domain/timestamp.js";
import { rotateSecret, testWebhook } from "../../operations/manage-webhooks.js";
import { serve } from "../endpoint.js";
import type { OperatorPorts } from "./operator-ports.js";
import { listed } from "./page.js";

const toWire = (webhook: Webhook, now: Date): operator.OperatorWebhook => ({
  id: webhook.id,
  environment: "production",
  url: webhook.url,
  events: [...webhook.events],
  secrets: [...validSecrets(webhook, now)],
  created_at: formatTimestamp(webhook.createdAt),
});

export const webhookRoutes = (app: FastifyInstance, ports: OperatorPorts): void => {
  serve(app, operator.listAccountWebhooks, async ({ params, query }) => {
    if ((await ports.stores.accounts.find(params.id)) === null) return notFound("account");
    const now = ports.clock.now();
    return listed(
      query,
      // The sandbox has no webhooks of its own yet.
      async (page) =>
        query.environment === "sandbox" ? { items: [], next: null } : ports.stores.webhooks.list(params.id, page),
      (webhook) => toWire(webhook, now),
    );
  });
  serve(app, operator.rotateWebhookSecret, async ({ params }) => {
    const webhook = await rotateSecret(ports, "operator", params.id);
    return isRefusal(webhook) ? webhook : toWire(webhook, ports.clock.now());
  });
  serve(app, operator.testWebhook, async ({ params }) => {
    const sent = await testWebhook(ports, params.id);
    if (isRefusal(sent)) return sent;
    const { ok, status, durationMs, address, error } = sent;
    return { ok, status, duration_ms: durationMs, address, error };
  });
};
