import { operator } from "@curtail/contract";
import type { FastifyInstance } from "fastify";
import { managerOf } from "../../access/caller/actor.js";
import { type BothEnvironments, portsOf } from "../../access/caller/environment-ports.js";
import { serve } from "../../platform/http/endpoint.js";
import { listed } from "../../platform/http/page.js";
import { type RepeatablePorts, serveOnce } from "../../platform/http/serve-once.js";
import { isRefusal, notFound } from "../../platform/refusal.js";
import type { Delivery } from "../domain/delivery.js";
import type { EnvironmentStores } from "../operations/environment-stores.js";
import { resendDelivery } from "../operations/resend-delivery.js";
import { deliveryToWire, showsAll } from "./wire-delivery.js";

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
  serveOnce(
    app,
    operator.resendDelivery,
    ({ query }) => portsOf(ports, query),
    async ({ params, request }, environment) => {
      const delivery = await resendDelivery(environment, managerOf(request), params.id);
      return isRefusal(delivery) ? delivery : toWire(delivery);
    },
  );
};
