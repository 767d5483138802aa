import { operator } from "@curtail/contract";
import type { FastifyInstance } from "fastify";
import { managerOf, maySeeSecrets } from "../../access/caller/actor.js";
import { type BothEnvironments, portsOf } from "../../access/caller/environment-ports.js";
import { serve } from "../../platform/http/endpoint.js";
import { listed } from "../../platform/http/page.js";
import { type RepeatablePorts, serveOnce, serveOnceOutside } from "../../platform/http/serve-once.js";
import { isRefusal, notFound } from "../../platform/refusal.js";
import type { EnvironmentStores } from "../operations/environment-stores.js";
import { rotateSecret, testWebhook, type WebhookPorts } from "../operations/manage-webhooks.js";
import { showsAll } from "./wire-delivery.js";
import { testToWire, webhookToWire, withoutSecrets } from "./wire-webhook.js";

export type WebhookRoutePorts = BothEnvironments<
  RepeatablePorts<EnvironmentStores> & Pick<WebhookPorts, "newSecret" | "probe">
>;

export const webhookRoutes = (app: FastifyInstance, ports: WebhookRoutePorts): void => {
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
      return isRefusal(sent) ? sent : testToWire(sent, showsAll);
    },
  );
};
