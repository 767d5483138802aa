import { operator } from "@curtail/contract";
import type { FastifyInstance } from "fastify";
import type { Environment } from "../../domain/api-key.js";
import { validSecrets, type Webhook } from "../../domain/delivery.js";
import { isRefusal, notFound } from "../../domain/refusal.js";
import { formatTimestamp } from "../../domain/timestamp.js";
import { rotateSecret, testWebhook } from "../../operations/manage-webhooks.js";
import { serve } from "../endpoint.js";
import { listed } from "../page.js";
import { actorOf, maySeeSecrets } from "./actor.js";
import { type OperatorPorts, storesOf } from "./operator-ports.js";

const toWire = (webhook: Webhook, now: Date, environment: Environment = "production"): operator.OperatorWebhook => ({
  id: webhook.id,
  environment,
  url: webhook.url,
  events: [...webhook.events],
  secrets: [...validSecrets(webhook, now)],
  created_at: formatTimestamp(webhook.createdAt),
});

export const webhookRoutes = (app: FastifyInstance, ports: OperatorPorts): void => {
  serve(app, operator.listAccountWebhooks, async ({ params, query, request }) => {
    if ((await ports.stores.accounts.find(params.id)) === null) return notFound("account");
    const now = ports.clock.now();
    const { environment = "production" } = query;
    return listed(
      query,
      (page) => storesOf(ports, environment).webhooks.list(params.id, page),
      (webhook) => {
        const wire = toWire(webhook, now, environment);
        return maySeeSecrets(request) ? wire : { ...wire, secrets: [] };
      },
    );
  });
  serve(app, operator.rotateWebhookSecret, async ({ params, request }) => {
    const webhook = await rotateSecret(ports, actorOf(request), params.id);
    return isRefusal(webhook) ? webhook : toWire(webhook, ports.clock.now());
  });
  serve(app, operator.testWebhook, async ({ params }) => {
    const sent = await testWebhook(ports, params.id);
    if (isRefusal(sent)) return sent;
    const { ok, status, durationMs, address, error } = sent;
    return { ok, status, duration_ms: durationMs, address, error };
  });
};
