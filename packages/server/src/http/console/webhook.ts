import { participantConsole } from "@curtail/contract";
import type { FastifyInstance } from "fastify";
import type { Webhook } from "../../domain/delivery.js";
import { isRefusal, notFound } from "../../domain/refusal.js";
import { rotateSecret, testWebhook } from "../../operations/manage-webhooks.js";
import type { ParticipantService } from "../../operations/participant-service.js";
import { resendDelivery } from "../../operations/resend-delivery.js";
import { callerOf } from "../caller.js";
import { serve } from "../endpoint.js";
import { listed } from "../page.js";
import { deliveryToWire } from "../wire/delivery.js";
import { testToWire, webhookToWire, withoutSecrets } from "../wire/webhook.js";
import type { ConsolePorts } from "./console-ports.js";
import { type Person, personOf } from "./person.js";

const toWire = (webhook: Webhook, now: Date, { mayChange }: Person) => {
  const wire = webhookToWire(webhook, now);
  return mayChange ? wire : withoutSecrets(wire);
};

/** Webhooks of the caller's own account, in production. */
export const ownWebhookRoutes = (app: FastifyInstance, ports: ConsolePorts): void => {
  const { stores, clock } = ports;
  serve(app, participantConsole.getOwnWebhook, async ({ params, request }) => {
    const person = personOf(request);
    const webhook = await stores.webhooks.find(params.id, person.within);
    return webhook === null ? notFound("webhook") : toWire(webhook, clock.now(), person);
  });
  serve(app, participantConsole.rotateOwnWebhookSecret, async ({ params, request }) => {
    const person = personOf(request);
    const webhook = await rotateSecret(ports, person, params.id);
    return isRefusal(webhook) ? webhook : toWire(webhook, clock.now(), person);
  });
  serve(app, participantConsole.testOwnWebhook, async ({ params, request }) => {
    const sent = await testWebhook(ports, personOf(request), params.id);
    return isRefusal(sent) ? sent : testToWire(sent);
  });
};

/** What webhooks of the caller's own account were sent. */
export const ownDeliveryRoutes = (app: FastifyInstance, ports: ConsolePorts, participant: ParticipantService): void => {
  const { webhooks, deliveries } = ports.stores;
  serve(app, participantConsole.listOwnWebhookDeliveries, async ({ params, query, request }) => {
    if (!(await webhooks.wasEver(params.id, personOf(request).within))) return notFound("webhook");
    return listed(query, (page) => deliveries.ofWebhook(params.id, page), deliveryToWire);
  });
  serve(app, participantConsole.listOwnDispatchDeliveries, async ({ params, query, request }) => {
    const dispatch = await participant.findDispatch(callerOf(request), params.id, "unseen");
    if (isRefusal(dispatch)) return dispatch;
    const { within } = personOf(request);
    return listed(query, (page) => deliveries.ofDispatch(params.id, within, page), deliveryToWire);
  });
  serve(app, participantConsole.resendOwnDelivery, async ({ params, request }) => {
    const delivery = await resendDelivery(ports, personOf(request), params.id);
    return isRefusal(delivery) ? delivery : deliveryToWire(delivery);
  });
};
