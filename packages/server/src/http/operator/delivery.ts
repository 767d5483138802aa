import { operator } from "@curtail/contract";
import type { FastifyInstance } from "fastify";
import type { Attempt, Delivery } from "../../domain/delivery.js";
import { isRefusal, notFound } from "../../domain/refusal.js";
import { formatTimestamp } from "../../domain/timestamp.js";
import { resendDelivery } from "../../operations/resend-delivery.js";
import { serve } from "../endpoint.js";
import { listed } from "../page.js";
import { actorOf } from "./actor.js";
import { type OperatorPorts, storesOf } from "./operator-ports.js";

const attemptToWire = ({ at, status, durationMs, address, error }: Attempt) => ({
  at: formatTimestamp(at),
  status,
  duration_ms: durationMs,
  address,
  error,
});

const toWire = (delivery: Delivery): operator.Delivery => {
  const next = delivery.resendAt ?? delivery.nextAttemptAt;
  return {
    id: delivery.id,
    webhook_id: delivery.webhookId,
    dispatch_id: delivery.dispatchId,
    event: delivery.event,
    state: delivery.state,
    next_attempt_at: next === null ? null : formatTimestamp(next),
    created_at: formatTimestamp(delivery.createdAt),
    attempts: delivery.attempts.map(attemptToWire),
  };
};

export const deliveryRoutes = (app: FastifyInstance, ports: OperatorPorts): void => {
  const { deliveries, dispatches } = ports.stores;
  serve(app, operator.listWebhookDeliveries, async ({ params, query }) => {
    // A deleted webhook's too: what was sent to it stays provable.
    const stores = storesOf(ports, query.environment ?? "production");
    if (!(await stores.webhooks.wasEver(params.id))) return notFound("webhook");
    return listed(query, (page) => stores.deliveries.ofWebhook(params.id, page), toWire);
  });
  serve(app, operator.listDispatchDeliveries, async ({ params, query }) => {
    if ((await dispatches.find(params.id)) === null) return notFound("dispatch");
    return listed(query, (page) => deliveries.ofDispatch(params.id, page), toWire);
  });
  serve(app, operator.resendDelivery, async ({ params, request }) => {
    const delivery = await resendDelivery(ports, actorOf(request), params.id);
    return isRefusal(delivery) ? delivery : toWire(delivery);
  });
};
