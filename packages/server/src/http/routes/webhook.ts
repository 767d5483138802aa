import { createWebhook, deleteWebhook, listWebhooks, type Webhook as WireWebhook } from "@curtail/contract";
import type { FastifyInstance } from "fastify";
import type { Webhook } from "../../domain/delivery.js";
import { isRefusal } from "../../domain/refusal.js";
import type { ParticipantService } from "../../operations/participant-service.js";
import { callerOf } from "../caller.js";
import { serve } from "../endpoint.js";

/** Without the secret: that is for its owner's eyes, and not part of the interface (G29). */
const toWire = ({ id, url, events }: Webhook): WireWebhook => ({ id, url, events: events.map((name) => ({ name })) });

export const webhookRoutes = (app: FastifyInstance, service: ParticipantService): void => {
  serve(app, listWebhooks, async ({ request }) => {
    const webhooks = await service.listWebhooks(callerOf(request));
    return { page: 0, perPage: 0, webhooks: webhooks.map(toWire) };
  });

  serve(app, createWebhook, async ({ body, request }) => {
    const events = body.events.map(({ name }) => name);
    const webhook = await service.registerWebhook(callerOf(request), { url: body.url, events });
    return isRefusal(webhook) ? webhook : toWire(webhook);
  });

  serve(app, deleteWebhook, async ({ params, request }) => {
    const webhook = await service.deleteWebhook(callerOf(request), params.id);
    return isRefusal(webhook) ? webhook : toWire(webhook);
  });
};
