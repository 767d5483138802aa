import { participantConsole } from "@curtail/contract";
import type { FastifyInstance } from "fastify";
import { callerOf } from "../../access/caller/caller.js";
import { type BothEnvironments, portsOf } from "../../access/caller/environment-ports.js";
import { type Person, personOf } from "../../access/caller/person.js";
import type { Environment } from "../../access/domain/api-key.js";
import type { DispatchService } from "../../dispatch/operations/dispatch-service.js";
import { serve } from "../../platform/http/endpoint.js";
import { listed } from "../../platform/http/page.js";
import { type RepeatablePorts, serveOnce, serveOnceOutside } from "../../platform/http/serve-once.js";
import { isRefusal, notFound } from "../../platform/refusal.js";
import type { Delivery, Webhook } from "../domain/delivery.js";
import type { EnvironmentStores } from "../operations/environment-stores.js";
import { rotateSecret, testWebhook, type WebhookPorts } from "../operations/manage-webhooks.js";
import { resendDelivery } from "../operations/resend-delivery.js";
import type { WebhookService } from "../operations/webhook-service.js";
import { addWebhook, removeWebhook, webhooksOf } from "./participant-webhook.js";
import { deliveryToWire, type ShowsResponse } from "./wire-delivery.js";
import { testToWire, webhookToWire, withoutSecrets } from "./wire-webhook.js";

interface Shown {
  readonly now: Date;
  readonly environment?: Environment | undefined;
}

const toWire = (webhook: Webhook, { now, environment }: Shown, { mayChange }: Person) => {
  const wire = webhookToWire(webhook, now, environment);
  return mayChange ? wire : withoutSecrets(wire);
};

export type OwnWebhookRoutePorts = BothEnvironments<
  RepeatablePorts<EnvironmentStores> & Pick<WebhookPorts, "newSecret" | "probe">
> & {
  readonly sandbox: { readonly service: WebhookService };
  readonly showsResponse: ShowsResponse;
};

/** Webhooks of the caller's own account, in either environment. */
export const ownWebhookRoutes = (app: FastifyInstance, ports: OwnWebhookRoutePorts, service: WebhookService): void => {
  const shown = (environment: Environment | undefined): Shown => ({ now: ports.clock.now(), environment });
  const serviceOf = ({ environment }: Pick<Shown, "environment">) =>
    environment === "sandbox" ? ports.sandbox.service : service;
  serve(app, participantConsole.listOwnWebhooks, ({ query, request }) =>
    webhooksOf(serviceOf(query), callerOf(request)),
  );
  serve(app, participantConsole.createOwnWebhook, ({ query, body, request }) =>
    addWebhook(serviceOf(query), callerOf(request), body),
  );
  serve(app, participantConsole.deleteOwnWebhook, ({ params, query, request }) =>
    removeWebhook(serviceOf(query), callerOf(request), params.id),
  );
  serve(app, participantConsole.getOwnWebhook, async ({ params, query, request }) => {
    const person = personOf(request);
    const webhook = await portsOf(ports, query).stores.webhooks.find(params.id, person.within);
    return webhook === null ? notFound("webhook") : toWire(webhook, shown(query.environment), person);
  });
  serveOnce(
    app,
    participantConsole.rotateOwnWebhookSecret,
    ({ query }) => portsOf(ports, query),
    async ({ params, query, request }, environment) => {
      const person = personOf(request);
      const webhook = await rotateSecret(environment, person, params.id);
      return isRefusal(webhook) ? webhook : toWire(webhook, shown(query.environment), person);
    },
  );
  serveOnceOutside(
    app,
    participantConsole.testOwnWebhook,
    ({ query }) => portsOf(ports, query),
    async ({ params, request }, environment) => {
      const sent = await testWebhook(environment, personOf(request), params.id);
      return isRefusal(sent) ? sent : testToWire(sent, ports.showsResponse);
    },
  );
};

export interface OwnDeliveryRoutePorts extends BothEnvironments<RepeatablePorts<EnvironmentStores>> {
  readonly showsResponse: ShowsResponse;
}

/** Deliveries to webhooks of the caller's own account. */
export const ownDeliveryRoutes = (
  app: FastifyInstance,
  ports: OwnDeliveryRoutePorts,
  dispatches: Pick<DispatchService, "findDispatch">,
): void => {
  const toWire = (delivery: Delivery) => deliveryToWire(delivery, ports.showsResponse);
  serve(app, participantConsole.listOwnWebhookDeliveries, async ({ params, query, request }) => {
    const { webhooks, deliveries } = portsOf(ports, query).stores;
    if (!(await webhooks.wasEver(params.id, personOf(request).within))) return notFound("webhook");
    return listed(query, (page) => deliveries.ofWebhook(params.id, page), toWire);
  });
  serve(app, participantConsole.listOwnDispatchDeliveries, async ({ params, query, request }) => {
    const dispatch = await dispatches.findDispatch(callerOf(request), params.id, "unseen");
    if (isRefusal(dispatch)) return dispatch;
    const { within } = personOf(request);
    return listed(query, (page) => ports.stores.deliveries.ofDispatch(params.id, within, page), toWire);
  });
  serveOnce(
    app,
    participantConsole.resendOwnDelivery,
    ({ query }) => portsOf(ports, query),
    async ({ params, request }, environment) => {
      const delivery = await resendDelivery(environment, personOf(request), params.id);
      return isRefusal(delivery) ? delivery : toWire(delivery);
    },
  );
};
