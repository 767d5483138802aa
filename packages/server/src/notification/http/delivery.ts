import { operator, participantConsole } from "@curtail/contract";
import type { FastifyInstance } from "fastify";
import { managerOf } from "../../access/caller/actor.js";
import { callerOf } from "../../access/caller/caller.js";
import { type BothEnvironments, inEnvironment, portsOf } from "../../access/caller/environment-ports.js";
import { personOf } from "../../access/caller/person.js";
import type { DispatchService } from "../../dispatch/operations/dispatch-service.js";
import type { Attempt, ResponseStart } from "../../platform/attempt.js";
import { serve } from "../../platform/http/endpoint.js";
import { listed } from "../../platform/http/page.js";
import { type RepeatablePorts, serveOnce } from "../../platform/http/serve-once.js";
import { isRefusal, mapResult, notFound } from "../../platform/refusal.js";
import { formatTimestamp } from "../../platform/timestamp.js";
import type { Delivery, WebhookAttempt } from "../domain/delivery.js";
import { thinEvent, wasSigned, webhookTimestamp } from "../domain/webhook.js";
import type { EnvironmentStores } from "../operations/manage-webhooks.js";
import { resendDelivery } from "../operations/resend-delivery.js";

export type DeliveryRoutePorts = BothEnvironments<RepeatablePorts<EnvironmentStores>>;

const toWire = (delivery: Delivery) => deliveryToWire(delivery, showsAll);

export const deliveryRoutes = (app: FastifyInstance, ports: DeliveryRoutePorts): void => {
  serve(app, operator.listWebhookDeliveries, async ({ params, query }) => {
    // Includes deleted webhooks: what was sent to them stays provable.
    const { stores } = portsOf(ports, query);
    if (!(await stores.webhooks.wasEver(params.id, null))) return notFound("webhook");
    return listed(query, (page) => stores.deliveries.ofWebhook(params.id, page), toWire);
  });
  serve(app, operator.listDispatchDeliveries, async ({ params, query }) => {
    const { stores } = portsOf(ports, query);
    if ((await stores.dispatches.find(params.id)) === null) return notFound("dispatch");
    return listed(query, (page) => stores.deliveries.ofDispatch(params.id, null, page), toWire);
  });
  serveOnce(app, operator.resendDelivery, inEnvironment(ports), ({ params, request }, environment) =>
    mapResult(resendDelivery(environment, managerOf(request), params.id), toWire),
  );
};

export interface OwnDeliveryRoutePorts extends DeliveryRoutePorts {
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
  serveOnce(app, participantConsole.resendOwnDelivery, inEnvironment(ports), ({ params, request }, environment) =>
    mapResult(resendDelivery(environment, personOf(request), params.id), toWire),
  );
};

type WireAttempt = operator.Delivery["attempts"][number];

/** Whether a reader is shown what the receiver at an address responded. */
export type ShowsResponse = (address: string | null) => boolean;

export const showsAll: ShowsResponse = () => true;

export const deliveryToWire = (delivery: Delivery, shows: ShowsResponse): operator.Delivery => {
  const next = delivery.resendAt ?? delivery.nextAttemptAt;
  return {
    id: delivery.id,
    webhook_id: delivery.webhookId,
    dispatch_id: delivery.dispatchId,
    event: delivery.event,
    state: delivery.state,
    next_attempt_at: next === null ? null : formatTimestamp(next),
    created_at: formatTimestamp(delivery.createdAt),
    attempts: delivery.attempts.map((attempt) => attemptToWire(delivery, attempt, shows)),
  };
};

const attemptToWire = (delivery: Delivery, attempt: WebhookAttempt, shows: ShowsResponse): WireAttempt => {
  const { at, status, durationMs, address, error } = attempt;
  return {
    at: formatTimestamp(at),
    status,
    duration_ms: durationMs,
    address,
    error,
    request: wasSigned(attempt) ? requestOf(delivery, at) : null,
    response: responseToWire(attempt, shows),
  };
};

/** Not stored: it follows from the delivery, except for the signature, which needs the secret of that time. */
const requestOf = (delivery: Delivery, at: Date): WireAttempt["request"] => ({
  headers: {
    "content-type": "application/json",
    "webhook-id": delivery.id,
    "webhook-timestamp": webhookTimestamp(at),
    "webhook-signature": null,
  },
  body: thinEvent(delivery.event, delivery.resource),
});

export const responseToWire = (
  { status, address, responseType, responseBody }: Attempt & ResponseStart,
  shows: ShowsResponse,
): WireAttempt["response"] => {
  if (status === null) return null;
  return shows(address) ? { content_type: responseType, body: responseBody } : { content_type: null, body: null };
};
