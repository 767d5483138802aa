import { operator } from "@curtail/contract";
import type { FastifyInstance } from "fastify";
import { isRefusal, notFound } from "../../domain/refusal.js";
import { rotateSecret, testWebhook } from "../../operations/manage-webhooks.js";
import { serve } from "../endpoint.js";
import { listed } from "../page.js";
import { testToWire, webhookToWire, withoutSecrets } from "../wire/webhook.js";
import { managerOf, maySeeSecrets } from "./actor.js";
import { type OperatorPorts, portsOf } from "./operator-ports.js";

export const webhookRoutes = (app: FastifyInstance, ports: OperatorPorts): void => {
  serve(app, operator.listAccountWebhooks, async ({ params, query, request }) => {
    if ((await ports.stores.accounts.find(params.id)) === null) return notFound("account");
    const now = ports.clock.now();
    const { environment = "production" } = query;
    return listed(
      query,
      (page) => portsOf(ports, query).stores.webhooks.list(params.id, page),
      (webhook) => {
        const wire = webhookToWire(webhook, now, environment);
        return maySeeSecrets(request) ? wire : withoutSecrets(wire);
      },
    );
  });
  serve(app, operator.rotateWebhookSecret, async ({ params, query, request }) => {
    const webhook = await rotateSecret(portsOf(ports, query), managerOf(request), params.id);
    return isRefusal(webhook) ? webhook : webhookToWire(webhook, ports.clock.now(), query.environment);
  });
  serve(app, operator.testWebhook, async ({ params, query, request }) => {
    const sent = await testWebhook(portsOf(ports, query), managerOf(request), params.id);
    return isRefusal(sent) ? sent : testToWire(sent);
  });
};
