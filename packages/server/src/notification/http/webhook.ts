import { operator, participantConsole } from "@curtail/contract";
import type { FastifyInstance } from "fastify";
import { managerOf, maySeeSecrets } from "../../access/caller/actor.js";
import { callerOf } from "../../access/caller/caller.js";
import { type BothEnvironments, inEnvironment, portsOf } from "../../access/caller/environment-ports.js";
import { type Person, personOf } from "../../access/caller/person.js";
import type { Environment } from "../../access/domain/api-key.js";
import type { AnsweredAttempt } from "../../platform/attempt.js";
import { serve } from "../../platform/http/endpoint.js";
import { listed } from "../../platform/http/page.js";
import { type RepeatablePorts, serveOnce, serveOnceOutside } from "../../platform/http/serve-once.js";
import { isRefusal, mapResult, notFound } from "../../platform/refusal.js";
import { formatTimestamp } from "../../platform/timestamp.js";
import { validSecrets, type Webhook } from "../domain/delivery.js";
import { type EnvironmentStores, rotateSecret, testWebhook, type WebhookPorts } from "../operations/manage-webhooks.js";
import type { WebhookService } from "../operations/webhook-service.js";
import { responseToWire, type ShowsResponse, showsAll } from "./delivery.js";
import { addWebhook, removeWebhook, webhooksOf } from "./participant-webhook.js";

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
  serveOnce(app, operator.rotateWebhookSecret, inEnvironment(ports), ({ params, query, request }, environment) =>
    mapResult(rotateSecret(environment, managerOf(request), params.id), (webhook) =>
      webhookToWire(webhook, ports.clock.now(), query.environment),
    ),
  );
  serveOnceOutside(app, operator.testWebhook, inEnvironment(ports), ({ params, request }, environment) =>
    mapResult(testWebhook(environment, managerOf(request), params.id), (sent) => testToWire(sent, showsAll)),
  );
};

export type OwnWebhookRoutePorts = WebhookRoutePorts & {
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
    return webhook === null ? notFound("webhook") : ownToWire(webhook, shown(query.environment), person);
  });
  serveOnce(
    app,
    participantConsole.rotateOwnWebhookSecret,
    inEnvironment(ports),
    async ({ params, query, request }, environment) => {
      const person = personOf(request);
      const webhook = await rotateSecret(environment, person, params.id);
      return isRefusal(webhook) ? webhook : ownToWire(webhook, shown(query.environment), person);
    },
  );
  serveOnceOutside(app, participantConsole.testOwnWebhook, inEnvironment(ports), ({ params, request }, environment) =>
    mapResult(testWebhook(environment, personOf(request), params.id), (sent) => testToWire(sent, ports.showsResponse)),
  );
};

interface Shown {
  readonly now: Date;
  readonly environment?: Environment | undefined;
}

const ownToWire = (webhook: Webhook, { now, environment }: Shown, { mayChange }: Person) => {
  const wire = webhookToWire(webhook, now, environment);
  return mayChange ? wire : withoutSecrets(wire);
};

const webhookToWire = (
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
const withoutSecrets = (webhook: operator.OperatorWebhook): operator.OperatorWebhook => ({
  ...webhook,
  secrets: [],
});

export const testToWire = (sent: AnsweredAttempt, shows: ShowsResponse) => {
  const { ok, status, durationMs, address, error } = sent;
  return { ok, status, duration_ms: durationMs, address, error, response: responseToWire(sent, shows) };
};
