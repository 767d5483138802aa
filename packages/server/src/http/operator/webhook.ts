import { operator } from "@curtail/contract";
import type { FastifyInstance } from "fastify";
import { isRefusal, notFound } from "../../domain/refusal.js";
import { rotateSecret, testWebhook } from "../../operations/manage-webhooks.js";
import { serve } from "../endpoint.js";
import { listed } from "../page.js";
import { serveOnce, serveOnceOutside } from "../serve-once.js";
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
  serveOnce(
    app,
    operator.rotateWebhookSecret,
    ({ query }) => portsOf(ports, query),
    async ({ params, query, request }, environment) => {
      const webhook = await rotateSecret(environment, managerOf(request), params.id);
      return isRefusal(webhook) ? webhook : webhookToWire(webhook, ports.clock.now(), query.environment);
    },
  );
  serveOnceOutside(
    app,
    operator.testWebhook,
    ({ query }) => portsOf(ports, query),
    async ({ params, request }, environment) => {
      const sent = await testWebhook(environment, managerOf(request), params.id);
      return isRefusal(sent) ? sent : testToWire(sent);
    },
  );
};
