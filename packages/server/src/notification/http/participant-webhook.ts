import {
  type BodyOf,
  createWebhook,
  deleteWebhook,
  listWebhooks,
  type ReplyOf,
  VERSION,
  type Webhook as WireWebhook,
} from "@curtail/contract";
import type { FastifyInstance } from "fastify";
import { callerOf } from "../../access/caller/caller.js";
import type { Caller } from "../../access/operations/caller.js";
import { versionOf } from "../../platform/http/dated-edge.js";
import { serve } from "../../platform/http/endpoint.js";
import { mapResult, type Result } from "../../platform/refusal.js";
import type { Webhook } from "../domain/delivery.js";
import type { WebhookService } from "../operations/webhook-service.js";

/** Without the secret, which only its owner may see and which is not part of the interface (G29). */
const toWire = ({ id, url, events }: Webhook): WireWebhook => ({ id, url, events: events.map((name) => ({ name })) });

export const webhookRoutes = (app: FastifyInstance, service: WebhookService): void => {
  serve(app, listWebhooks, ({ request }) => webhooksOf(service, callerOf(request)));
  serve(app, createWebhook, ({ body, request }) => addWebhook(service, callerOf(request), body, versionOf(request)));
  serve(app, deleteWebhook, ({ params, request }) => removeWebhook(service, callerOf(request), params.id));
};

export const webhooksOf = async (service: WebhookService, caller: Caller): Promise<ReplyOf<typeof listWebhooks>> => ({
  page: 0,
  perPage: 0,
  webhooks: (await service.listWebhooks(caller)).map(toWire),
});

/** @param interfaceVersion default: the current one */
export const addWebhook = async (
  service: WebhookService,
  caller: Caller,
  { url, events }: BodyOf<typeof createWebhook>,
  interfaceVersion: string = VERSION,
): Promise<Result<WireWebhook>> => {
  const names = events.map(({ name }) => name);
  return mapResult(service.registerWebhook(caller, { url, events: names, interfaceVersion }), toWire);
};

export const removeWebhook = (service: WebhookService, caller: Caller, id: string): Promise<Result<WireWebhook>> =>
  mapResult(service.deleteWebhook(caller, id), toWire);
